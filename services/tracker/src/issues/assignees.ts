import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';

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
    const user = await directory.user(userId);
    if (user?.state !== 'active') continue;
    const principal: Principal = {
      userId,
      username: user.username,
      name: user.name,
      email: user.email ?? '',
      isAdmin: user.admin ?? false,
      external: user.external ?? false,
      scopes: [],
      credential: { kind: 'system', id: null },
      onBehalfBy: null,
    };
    const grant = await grantProject(project, principal, directory);
    if (grant?.can('issues')) found.push(userId);
  }
  return found;
}
