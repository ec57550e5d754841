import type { ProjectFeature } from '@forgelog/contracts/endpoint.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';

/** Keeps the users who can be assigned a target of the project: active, and able to see targets of its kind. */
export async function assignable(
  directory: Directory,
  { projectId, feature }: { projectId: number; feature: ProjectFeature },
  userIds: readonly number[],
): Promise<number[]> {
  const project = await directory.project(projectId);
  if (!project) return [];
  const found: number[] = [];
  for (const userId of new Set(userIds)) {
    const principal = await actingUser(directory, userId);
    if (!principal) continue;
    const grant = await grantProject(project, principal, directory);
    if (grant?.can(feature)) found.push(userId);
  }
  return found;
}
