import type { DomainEvent } from '@forgelog/contracts/event.ts';

/** Audit, activity and feeds are projections of the envelope, so nothing in it can be added later. */

/** A place in the log: opaque, but ordered as a string, so any document store can guard updates with it. */
export type Position = string;

export const BEGINNING: Position = '';

/** How the caller authenticated. `id` is the id of the credential, never its value. */
export interface CredentialRef {
  kind:
    | 'personal_access_token'
    | 'project_access_token'
    | 'job_token'
    | 'deploy_token'
    | 'oauth_token'
    | 'runner'
    | 'registration_token'
    | 'session'
    | 'password'
    | 'system';
  id: number | null;
}

export interface EventMetadata {
  /** Null for what the system does by itself. */
  actorId: number | null;
  /** The administrator behind a sudo or an impersonation, else null. */
  onBehalfBy: number | null;
  credential: CredentialRef | null;
  clientAddress: string | null;
  userAgent?: string;
  requestId: string | null;
  /** The event to which a policy reacted. */
  causationId: string | null;
  /** Audit and activity name this person for what the system did by itself; consumers follow `causationId`. */
  initiator?: Initiator;
  /** W3C trace context of a traced request; consumers of the log continue the trace. */
  traceparent?: string;
}

export type Initiator = Pick<EventMetadata, 'actorId' | 'onBehalfBy' | 'clientAddress'>;

export interface EnvelopedEvent<Type extends string = string, Data = unknown>
  extends DomainEvent<Type, Data> {
  /** UUID. A repeated append with the same ids at the same place is idempotent. */
  id: string;
  schemaVersion: number;
  /** ISO 8601 with milliseconds, UTC. */
  time: string;
  metadata: EventMetadata;
}

export interface NewEvent<Type extends string = string, Data = unknown> extends EnvelopedEvent<Type, Data> {
  /** The JSON text of `data`, if available, to avoid serialising and parsing it again. */
  dataJson?: string;
}

export interface AppendedEvent<Type extends string = string, Data = unknown>
  extends EnvelopedEvent<Type, Data> {
  stream: string;
  /** 0..n without gaps within its stream. */
  revision: number;
}

export interface RecordedEvent<Type extends string = string, Data = unknown>
  extends AppendedEvent<Type, Data> {
  position: Position;
}

export const SYSTEM_METADATA: EventMetadata = {
  actorId: null,
  onBehalfBy: null,
  credential: { kind: 'system', id: null },
  clientAddress: null,
  requestId: null,
  causationId: null,
};

interface Cause {
  id: string | null;
  metadata: EventMetadata;
}

/** Metadata of what the actor of the event decided with it. */
export const causedBy = ({ id, metadata }: Cause): EventMetadata => ({ ...metadata, causationId: id });

export const bySystem = ({ id, metadata }: Cause): EventMetadata => ({
  ...SYSTEM_METADATA,
  requestId: metadata.requestId,
  causationId: id,
  ...(metadata.traceparent === undefined ? {} : { traceparent: metadata.traceparent }),
  initiator: initiatorOf(metadata),
});

export const initiatorOf = (metadata: EventMetadata): Initiator => {
  const { actorId, onBehalfBy, clientAddress } = metadata.initiator ?? metadata;
  return { actorId, onBehalfBy, clientAddress };
};
