import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Directory } from './directory.ts';

/** A user as whom the system acts; undefined if they are blocked or deleted. */
export async function actingUser(
  directory: Pick<Directory, 'user'>,
  userId: number,
): Promise<Principal | undefined> {
  const user = await directory.user(userId);
  if (user?.state !== 'active') return undefined;
  return {
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
}
