import type { Directory } from '@forgelog/directory/directory.ts';

const DEVELOPER = 30;

/** The most approvers of one rule that are looked at: the members of its groups may be many. */
const MOST_APPROVERS = 1_000;

/** The users and groups that a rule names. */
export interface NamedApprovers {
  userIds: readonly number[];
  groupIds: readonly number[];
}

/**
 * Users who may fulfil a rule: those that it names, and direct members of its groups, who are active and Developers of the
 * project.
 * @param first users who are looked at before the others
 */
export async function eligibleApprovers(
  directory: Pick<Directory, 'user' | 'project' | 'projectLevel' | 'groupMembers'>,
  projectId: number,
  { userIds, groupIds }: NamedApprovers,
  first: readonly number[] = [],
): Promise<number[]> {
  const project = await directory.project(projectId);
  if (!project) return [];
  const named = new Set(userIds);
  for (const groupId of groupIds)
    for (const userId of await directory.groupMembers(groupId)) named.add(userId);
  const ordered = new Set([...first.filter((id) => named.has(id)), ...named]);
  const found: number[] = [];
  for (const userId of [...ordered].slice(0, MOST_APPROVERS)) {
    const isActive = (await directory.user(userId))?.state === 'active';
    if (isActive && (await directory.projectLevel(userId, project)) >= DEVELOPER) found.push(userId);
  }
  return found;
}
