import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { Directory } from '@forgelog/directory/directory.ts';

/** Whether a merge request out of the project may let the user push there. Which branches is for repo to say. */
export async function mayCollaborate(
  directory: Pick<Directory, 'collaborations' | 'project' | 'projectLevel'>,
  projectId: number,
  userId: number | null,
): Promise<boolean> {
  if (userId === null) return false;
  for (const request of await directory.collaborations(projectId)) {
    const target = await directory.project(request.projectId);
    if (target && (await directory.projectLevel(userId, target)) >= AccessLevel.developer) return true;
  }
  return false;
}
