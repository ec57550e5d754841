import type { Scope } from '@forgelog/contracts/endpoint.ts';
import type { CredentialRef, EventMetadata } from '@forgelog/eventing/event.ts';

/** The authenticated caller. Services accept it only from the gateway. */
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

/** The origin of a request; a part of the envelope of every event it causes. */
export interface Origin {
  requestId: string;
  clientAddress: string | null;
  userAgent?: string | undefined;
  /** undefined where tracing is off. */
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
