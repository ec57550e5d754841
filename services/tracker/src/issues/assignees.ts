import { actingUser } from '@forgelog/directory/acting-user.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';

/** Keeps the users who can be assigned an issue of the project: active, and able to see its issues. */
export async function assignable(
  directory: Directory,
  projectId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const project = await directory.project(projectId);
  if (!project) return [];
  const found: number[] = [];
  for (const userId of new Set(userIds)) {
    const principal = await actingUser(directory, userId);
    if (!principal) continue;
    const grant = await grantProject(project, principal, directory);
    if (grant?.can('issues')) found.push(userId);
  }
  return found;
}
