import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { DirectoryUser } from './collections.ts';
import type { Directory } from './directory.ts';

type Through = Pick<Principal, 'scopes' | 'credential' | 'onBehalfBy'>;

const BY_ITSELF: Through = { scopes: [], credential: { kind: 'system', id: null }, onBehalfBy: null };

/** A user who calls through this credential. */
export function principalOf(user: DirectoryUser, through: Through): Principal {
  return {
    userId: user.id,
    username: user.username,
    name: user.name,
    email: user.email ?? '',
    isAdmin: user.admin ?? false,
    external: user.external ?? false,
    ...through,
  };
}

/** A user as whom the system acts; undefined if they are blocked or deleted. */
export async function actingUser(
  directory: Pick<Directory, 'user'>,
  userId: number,
  through: Partial<Through> = {},
): Promise<Principal | undefined> {
  const user = await directory.user(userId);
  return user?.state === 'active' ? principalOf(user, { ...BY_ITSELF, ...through }) : undefined;
}
