import type { DomainEvent } from '@forgelog/contracts/event.ts';

/**
 * The envelope that every event carries from the first line of the log on (who, when, why and from where).
 * Audit, activity and feeds are projections of it, so nothing in it can be added later.
 */

/**
 * A place in the log. Opaque, but ordered: of two positions of one store the later one is the greater string
 * (plain comparison), which lets any document store guard its updates with it.
 */
export type Position = string;

/** Before the first event of any log. */
export const BEGINNING: Position = '';

/** How the caller proved who he is. `id` is the credential's own id where it has one, never its value. */
export interface CredentialRef {
  kind: 'personal_access_token' | 'project_access_token' | 'job_token' | 'session' | 'password' | 'system';
  id: number | null;
}

/** Who did it, through what and from where: the same for every event that one request causes. */
export interface EventMetadata {
  /** User id of the actor, null for the system itself (a policy, the first start). */
  actorId: number | null;
  /** The administrator behind a sudo or an impersonation, else null. */
  onBehalfBy: number | null;
  credential: CredentialRef | null;
  /** Client address as the gateway saw it. */
  clientAddress: string | null;
  requestId: string | null;
  /** The event that caused this one, where a policy reacted to it. */
  causationId: string | null;
  /** W3C trace context, where the request that caused it was traced: whoever follows the log goes on with it. */
  traceparent?: string;
}

/** An event and who, when, why and from where. */
export interface EnvelopedEvent<Type extends string = string, Data = unknown>
  extends DomainEvent<Type, Data> {
  /** UUID. Appending the same ids again at the same place is answered like the first time, and stores nothing. */
  id: string;
  schemaVersion: number;
  /** ISO 8601 with milliseconds, UTC. */
  time: string;
  metadata: EventMetadata;
}

/** An event on its way into the store. */
export interface NewEvent<Type extends string = string, Data = unknown> extends EnvelopedEvent<Type, Data> {
  /** The JSON text that `data` was read from, for who has it at hand: it is then neither written nor read again. */
  dataJson?: string;
}

/** An event with its place in its stream, as an append knows it. */
export interface AppendedEvent<Type extends string = string, Data = unknown>
  extends EnvelopedEvent<Type, Data> {
  stream: string;
  /** 0..n without a gap within its stream. */
  revision: number;
}

/** An event as the log holds it. */
export interface RecordedEvent<Type extends string = string, Data = unknown>
  extends AppendedEvent<Type, Data> {
  position: Position;
}

/** The metadata of what the system does by itself. */
export const SYSTEM_METADATA: EventMetadata = {
  actorId: null,
  onBehalfBy: null,
  credential: { kind: 'system', id: null },
  clientAddress: null,
  requestId: null,
  causationId: null,
};

/** The metadata of what follows from an event: the same actor, and the event as its cause. */
export const causedBy = (event: RecordedEvent): EventMetadata => ({
  ...event.metadata,
  causationId: event.id,
});
