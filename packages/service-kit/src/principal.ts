import type { Scope } from '@forgelog/contracts/endpoint.ts';
import type { CredentialRef, EventMetadata } from '@forgelog/eventing/event.ts';

/** Who calls, as the gateway found out. Services take it from the gateway alone. */
export interface Principal {
  userId: number;
  username: string;
  name: string;
  email: string;
  isAdmin: boolean;
  /** External users do not see internal projects [L111]. */
  external: boolean;
  scopes: readonly Scope[];
  credential: CredentialRef;
  /** The administrator behind a sudo, else null. */
  onBehalfBy: number | null;
}

/** Where a request came from; goes into the envelope of every event it causes. */
export interface Origin {
  requestId: string;
  clientAddress: string | null;
  /** What the client says that it is. */
  userAgent?: string | undefined;
  /** Of the trace that the request belongs to; undefined where tracing is off. */
  traceparent?: string | undefined;
}

export function metadataOf(principal: Principal | null, origin: Origin): EventMetadata {
  return {
    actorId: principal?.userId ?? null,
    onBehalfBy: principal?.onBehalfBy ?? null,
    credential: principal?.credential ?? null,
    clientAddress: origin.clientAddress,
    requestId: origin.requestId,
    causationId: null,
    ...(origin.userAgent === undefined ? {} : { userAgent: origin.userAgent }),
    ...(origin.traceparent === undefined ? {} : { traceparent: origin.traceparent }),
  };
}
