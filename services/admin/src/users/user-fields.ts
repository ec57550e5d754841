import type { Identity, UserProfile } from '@forgelog/contracts/admin/users/user.events.ts';

export interface UserFields {
  username: string;
  name: string;
  email: string;
  admin: boolean;
  external: boolean;
  /** True if the address is verified. */
  confirmed: boolean;
  identities: readonly Identity[];
  profile: Partial<UserProfile>;
}

/** External users create neither groups nor projects [L111]. */
export const EXTERNAL_LIMITS = { can_create_group: false, projects_limit: 0 };
