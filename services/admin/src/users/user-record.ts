import type { Identity, UserProfile } from '@forgelog/contracts/admin/users/user.events.ts';

/** The state from which all views of a user derive. */
export interface UserRecord {
  id: number;
  namespaceId: number;
  username: string;
  name: string;
  email: string;
  state: 'active' | 'blocked' | 'deactivated' | 'banned';
  admin: boolean;
  external: boolean;
  bot: boolean;
  confirmedAt: string | null;
  identities: Identity[];
  /** Address of the avatar, without the host. */
  avatarUrl: string | null;
  profile: Partial<UserProfile>;
  createdAt: string;
  updatedAt: string;
}
