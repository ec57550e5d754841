import { Rejection } from '@forgelog/contracts/errors.ts';
import { type DirectoryNamespace, directoryProjects } from '@forgelog/directory/collections.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';

const DEVELOPER = 30;
const MAINTAINER = 40;
/** The projects an account may own unless it has its own limit [L124]. */
const DEFAULT_LIMIT = 100_000;

const notValid = () => new Rejection('validation_failed', { fields: { namespace: ['is not valid'] } });

/**
 * Finds the namespace to create in, by default the caller's own.
 * @throws Rejection if it is missing or not allowed; both answers are the same
 */
export async function creationNamespace(
  directory: Directory,
  principal: Principal,
  namespaceId: number | undefined,
): Promise<DirectoryNamespace> {
  const id = namespaceId ?? (await directory.user(principal.userId))?.namespaceId ?? undefined;
  const namespace = id === undefined ? undefined : await directory.namespace(id);
  if (!namespace || !(await mayCreateIn(directory, principal, namespace))) throw notValid();
  return namespace;
}

/** Nobody creates in a group that is marked for deletion. */
export async function mayCreateIn(
  directory: Directory,
  principal: Principal,
  namespace: DirectoryNamespace,
): Promise<boolean> {
  if ((await directory.marked()).groups.has(namespace.id)) return false;
  if (principal.isAdmin) return true;
  if (namespace.kind === 'user') return namespace.ownerId === principal.userId;
  const least = { noone: Number.POSITIVE_INFINITY, maintainer: MAINTAINER, developer: DEVELOPER };
  const wanted = (namespace.projectCreationLevel ?? 'developer') as keyof typeof least;
  return (await directory.groupLevel(principal.userId, namespace.id)) >= least[wanted];
}

/** @throws 403 if the owner of a personal namespace has reached their limit */
export async function requireBelowLimit(
  { directory, readStore }: { directory: Directory; readStore: ReadStore },
  namespace: DirectoryNamespace,
): Promise<void> {
  if (namespace.kind !== 'user') return;
  const limit = (await directory.user(namespace.ownerId!))?.projectsLimit ?? DEFAULT_LIMIT;
  const where = eq('ownerId', namespace.ownerId);
  if ((await readStore.count(directoryProjects, { where, atMost: limit })) < limit) return;
  const problem =
    limit === 0
      ? 'Personal project creation is not allowed. Please contact your administrator with questions'
      : `Your project limit is ${limit} projects! Please contact your administrator to increase it`;
  throw new Rejection('limit_reached', { problems: [problem] });
}
