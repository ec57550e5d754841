import { Rejection } from '@forgelog/contracts/errors.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { directoryProjects } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq, has, not } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { users } from '../users/users.projection.ts';
import type { HighestBelow } from './group.access.ts';
import type { ParentGroup } from './group.decider.ts';
import { groups } from './groups.projection.ts';

const CREATION_LEVEL: Readonly<Record<string, number>> = { owner: 50, maintainer: 40 };

/** Top-level groups require a permission of the account. @throws 403 */
export async function requireMayCreateGroups(
  { userId, isAdmin }: Principal,
  { readStore }: Pick<ServicePorts, 'readStore'>,
): Promise<void> {
  if (isAdmin) return;
  if (!(await readStore.get(users, userId))?.canCreateGroup) throw new Rejection('forbidden', {});
}

/** The parent of a new subgroup. @throws 404 if the caller may not see it, 403 if they may not create there */
export async function parentForSubgroup(
  parentId: number,
  caller: Principal,
  { directory, readStore }: Pick<ServicePorts, 'directory' | 'readStore'>,
): Promise<ParentGroup> {
  const grant = await createAuthorizer(directory).group(String(parentId), caller);
  const row = await readStore.get(groups, parentId);
  if (!grant || !row) throw new Rejection('not_found', { what: 'Group' });
  if (grant.level < CREATION_LEVEL[row.subgroupCreationLevel]!) throw new Rejection('forbidden', {});
  if (grant.group.isMarked) throw new Rejection('forbidden', { reason: 'The group is marked for deletion' });
  const { id, fullPath, visibility } = grant.group;
  return { id, fullPath, visibility, depth: row.ancestors.length };
}

/** The most open visibility below a group, at any depth. */
export async function highestBelow(groupId: number, readStore: ReadStore): Promise<HighestBelow> {
  const inGroup = has('ancestors', groupId);
  const below: HighestBelow = { group: null, project: null };
  for (const visibility of ['private', 'internal', 'public'] as const) {
    const isSo = eq('visibility', visibility);
    const others = and(inGroup, isSo, not(eq('id', groupId)));
    if ((await readStore.count(groups, { where: others, atMost: 1 })) > 0) below.group = visibility;
    const projects = and(inGroup, isSo);
    if ((await readStore.count(directoryProjects, { where: projects, atMost: 1 })) > 0)
      below.project = visibility;
  }
  return below;
}
