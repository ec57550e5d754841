import type { DeployTokenScope, Scope } from '@forgelog/contracts/endpoint.ts';
import type { CredentialRef, EventMetadata } from '@forgelog/eventing/event.ts';

/** The id of no user, which a deploy token calls with. */
export const NOBODY = 0;

/** The project, or the group with all below, that a deploy token opens. */
export interface DeployTokenReach {
  projectId: number | null;
  groupId: number | null;
  scopes: readonly DeployTokenScope[];
}

/** The authenticated caller. Services accept it only from the gateway. */
export interface Principal {
  /** `NOBODY` where a deploy token calls. */
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
  /** Where a deploy token calls: all that it may see. */
  deployToken?: DeployTokenReach | undefined;
}

/** The user who calls; null where nobody signed in, or a deploy token did. */
export const userIdOf = (principal: Principal | null): number | null =>
  principal === null || principal.deployToken ? null : principal.userId;

/** A name of the caller that no other caller has. */
export const callerKey = (principal: Principal | null): string =>
  principal?.deployToken ? `deploy token ${principal.credential.id}` : `${principal?.userId ?? ''}`;

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
    actorId: userIdOf(principal),
    onBehalfBy: principal?.onBehalfBy ?? null,
    credential: principal?.credential ?? null,
    clientAddress: origin.clientAddress,
    requestId: origin.requestId,
    causationId: null,
    ...(origin.userAgent === undefined ? {} : { userAgent: origin.userAgent }),
    ...(origin.traceparent === undefined ? {} : { traceparent: origin.traceparent }),
  };
}
