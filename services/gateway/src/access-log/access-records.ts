import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { type EventMetadata, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { Authorizer } from '@forgelog/service-kit/access.ts';
import { type DeployTokenReach, metadataOf, type Principal } from '@forgelog/service-kit/principal.ts';
import type { RequestRecord } from '../request-record.ts';

export type AccessType =
  | 'CredentialUsed'
  | 'DeployTokenUsed'
  | 'CredentialRefused'
  | 'RepositoryFetched'
  | 'AccessRefused';

/** An event of the access log without its counts. */
export interface AccessFacts {
  type: AccessType | 'AccessRecordsOmitted';
  metadata: EventMetadata;
  /** Asked when it is written; null where there is nothing to tell. */
  data: () => Promise<Readonly<Record<string, unknown>> | null>;
}

export interface AccessRecordPorts {
  directory: Directory;
  authorizer: Authorizer;
}

/** An administrator who acts as somebody else uses their own credential. */
export const ownerOf = ({ userId, onBehalfBy }: Principal): number => onBehalfBy ?? userId;

export function credentialUsed(principal: Principal, request: RequestRecord): AccessFacts {
  const userId = ownerOf(principal);
  const { kind, id } = principal.credential;
  return {
    type: 'CredentialUsed',
    metadata: { ...metadataOf(principal, request), actorId: userId, onBehalfBy: null },
    data: async () => ({ userId, tokenId: kind === 'password' ? null : id }),
  };
}

export function deployTokenUsed(
  { credential, deployToken }: Principal & { deployToken: DeployTokenReach },
  metadata: EventMetadata,
): AccessFacts {
  const { projectId, groupId } = deployToken;
  return {
    type: 'DeployTokenUsed',
    metadata,
    data: async () => ({ deployTokenId: credential.id, projectId, groupId }),
  };
}

/** @param account the id of the user whose account was tried, or the name that was tried, which is not recorded */
export function credentialRefused(
  reason: string,
  request: RequestRecord,
  account: number | string | undefined,
  { directory }: AccessRecordPorts,
): AccessFacts {
  return {
    type: 'CredentialRefused',
    metadata: metadataOf(null, request),
    async data() {
      const userId = typeof account === 'string' ? (await directory.userByName(account))?.id : account;
      return { reason, userId: userId ?? null };
    },
  };
}

export const repositoryFetched = (
  projectId: number,
  operation: string,
  request: RequestRecord,
): AccessFacts => ({
  type: 'RepositoryFetched',
  metadata: metadataOf(request.principal ?? null, request),
  data: async () => ({ projectId, operation }),
});

/** What a request asked for, and was refused. */
export interface RefusedPlace {
  status: 403 | 404;
  endpoint: string;
  kind: 'project' | 'group' | 'other';
  /** Id or path of the project or group. */
  named: string;
}

/** undefined where the status does not tell of a lack of rights. */
export function refusedPlace(request: RequestRecord, status: number): RefusedPlace | undefined {
  if (status !== 403 && status !== 404) return undefined;
  const { endpoint, pathParams, git } = request;
  if (git) return { status, endpoint: git.service, kind: 'project', named: git.project };
  if (!endpoint) return undefined;
  const { access } = endpoint satisfies AnyEndpoint;
  if (access.kind === 'project' || access.kind === 'group')
    return { status, endpoint: endpoint.id, kind: access.kind, named: pathParams?.[access.param] ?? '' };
  return status === 403 ? { status, endpoint: endpoint.id, kind: 'other', named: '' } : undefined;
}

export function accessRefused(
  place: RefusedPlace,
  request: RequestRecord,
  ports: AccessRecordPorts,
): AccessFacts {
  const principal = request.principal ?? null;
  const { status, endpoint, kind, named } = place;
  return {
    type: 'AccessRefused',
    metadata: metadataOf(principal, request),
    async data() {
      const told = { status, endpoint, projectId: null, groupId: null };
      if (kind === 'other') return told;
      const id = await idOf(place, ports.directory);
      if (id === undefined) return null;
      // A caller who sees the place was told that something in it does not exist.
      if (status === 404 && (await ports.authorizer[kind](named, principal))) return null;
      return { ...told, [`${kind}Id`]: id };
    },
  };
}

async function idOf({ kind, named }: RefusedPlace, directory: Directory): Promise<number | undefined> {
  if (kind === 'project') return projectIdOf(named, directory);
  const parsed = parseIdOrPath(named);
  const found = await (typeof parsed === 'number'
    ? directory.namespace(parsed)
    : directory.namespaceByPath(parsed));
  return found?.kind === 'group' ? found.id : undefined;
}

/** @param named id or path, as a request has it */
export async function projectIdOf(named: string, directory: Directory): Promise<number | undefined> {
  const parsed = parseIdOrPath(named);
  const found = await (typeof parsed === 'number'
    ? directory.project(parsed)
    : directory.projectByPath(parsed));
  return found?.id;
}

export const recordsOmitted = (eventType: AccessType): AccessFacts => ({
  type: 'AccessRecordsOmitted',
  metadata: SYSTEM_METADATA,
  data: async () => ({ eventType }),
});
