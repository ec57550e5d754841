import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { and, type Condition, eq, has, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { projectRunners, type RunnerRow } from './runners.projection.ts';

interface AccessPorts {
  directory: Directory;
  readStore: ReadStore;
}

const MOST_RUNNERS = 10_000;

/** Runners of groups that the caller owns, and of projects that they maintain; to administrators all. */
export async function ownRunners(principal: Principal, ports: AccessPorts): Promise<Condition> {
  const { directory, readStore } = ports;
  const where = await directory.projectsWith(principal, AccessLevel.maintainer, 'projectId');
  if (where === null) return and();
  const links = await readStore.find(projectRunners, { where, limit: MOST_RUNNERS, select: ['runnerId'] });
  const groups: number[] = [];
  for (const [id, level] of await directory.groupsOf(principal.userId))
    if (level >= AccessLevel.owner) groups.push(id, ...(await directory.groupsBelow(id)));
  return or(
    oneOf(
      'id',
      links.map(({ runnerId }) => runnerId),
    ),
    oneOf('groupId', groups),
  );
}

/** Runners that may get jobs of a project, or of the projects in a group, by its namespaces from the top down. */
export const runnersFor = (ancestors: readonly number[], projectId?: number): Condition =>
  or(
    eq('runnerType', 'instance_type'),
    oneOf('groupId', ancestors),
    ...(projectId === undefined ? [] : [has('projectIds', projectId)]),
  );

export async function mayChange(
  { groupId, projectIds }: Pick<RunnerRow, 'groupId' | 'projectIds'>,
  principal: Principal,
  directory: Directory,
): Promise<boolean> {
  if (principal.isAdmin) return true;
  const { userId } = principal;
  if (groupId !== null) return (await directory.groupLevel(userId, groupId)) >= AccessLevel.owner;
  for (const id of projectIds) {
    const project = await directory.project(id);
    if (project && (await directory.projectLevel(userId, project)) >= AccessLevel.maintainer) return true;
  }
  return false;
}
