import type { Identity, UserProfile } from '@forgelog/contracts/admin/user.events.ts';

/** All that the events said of a user, of which his views are made. */
export interface UserRecord {
  id: number;
  namespaceId: number;
  username: string;
  name: string;
  email: string;
  state: 'active' | 'blocked';
  admin: boolean;
  external: boolean;
  bot: boolean;
  confirmedAt: string | null;
  identities: Identity[];
  profile: Partial<UserProfile>;
  createdAt: string;
  updatedAt: string;
}
