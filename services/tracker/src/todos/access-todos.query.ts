import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { directoryMembers } from '@forgelog/directory/collections.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, desc, eq, oneOf, or, range } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { readableTargets } from '../targets/target.access.ts';
import type { TargetKind } from '../targets/target.ts';
import type { AccessRequestRef } from './access-todo.decider.ts';

/** So many people are asked to decide about one request; the others find it in the list of the place. */
const MOST_ASKED = 100;
/** Memberships that are looked through for them: some are of users who are blocked, or programs. */
const MOST_MEMBERSHIPS = 1000;

const LEAST = { Project: AccessLevel.maintainer, Namespace: AccessLevel.owner } as const;

/** The items that are open to the caller: they may read the target, or decide about the request today. */
export async function readableTodos(
  directory: Directory,
  principal: Principal,
  kinds: readonly TargetKind[],
): Promise<Condition> {
  const projects = await directory.projectsWith(principal, LEAST.Project, 'projectId');
  const groups = await directory.groupsWith(principal, LEAST.Namespace, 'groupId');
  return or(
    await readableTargets(directory, principal, kinds),
    and(eq('targetType', 'Project'), ...(projects === null ? [] : [projects])),
    and(eq('targetType', 'Namespace'), ...(groups === null ? [] : [groups])),
  );
}

/** The people who may accept a request for access as members, those with the highest role first. */
export async function decidersOf(
  { directory, readStore }: Pick<ServicePorts, 'directory' | 'readStore'>,
  { targetType, targetId, authorId }: AccessRequestRef,
): Promise<number[]> {
  const project = targetType === 'Project' ? await directory.project(targetId) : undefined;
  const group = targetType === 'Namespace' ? await directory.namespace(targetId) : undefined;
  const place = project ?? group;
  if (!place) return [];
  const groups = new Set(place.ancestors ?? []);
  const shares = [...(project ? await directory.projectShares(project.id) : [])];
  for (const id of groups) shares.push(...(await directory.groupShares(id)));
  for (const { groupId } of shares)
    for (const id of (await directory.namespace(groupId))?.ancestors ?? []) groups.add(id);
  const members = await readStore.find(directoryMembers, {
    where: and(
      or(
        and(eq('source', 'group'), oneOf('sourceId', [...groups])),
        ...(project ? [and(eq('source', 'project'), eq('sourceId', project.id))] : []),
      ),
      range('accessLevel', { gte: LEAST[targetType] }),
    ),
    sort: [desc('accessLevel')],
    limit: MOST_MEMBERSHIPS,
  });
  const found: number[] = [];
  const owner = project?.ownerId == null ? [] : [project.ownerId];
  for (const userId of new Set([...owner, ...members.map((member) => member.userId)])) {
    if (found.length === MOST_ASKED) break;
    const user = await directory.user(userId);
    if (userId === authorId || user?.state !== 'active' || user.bot) continue;
    // Shares give less than the membership says, and some are over.
    const level = project
      ? await directory.projectLevel(userId, project)
      : await directory.groupLevel(userId, targetId);
    if (level >= LEAST[targetType]) found.push(userId);
  }
  return found;
}
