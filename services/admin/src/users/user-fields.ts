import {
  type Identity,
  USER_PROFILE_DEFAULTS,
  type UserProfile,
} from '@forgelog/contracts/admin/users/user.events.ts';

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
export const DEFAULT_LIMITS = {
  can_create_group: USER_PROFILE_DEFAULTS.can_create_group,
  projects_limit: USER_PROFILE_DEFAULTS.projects_limit,
};
