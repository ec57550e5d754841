import type { Identity, UserProfile } from '@forgelog/contracts/admin/user.events.ts';

/** What is known of a user, as commands give it and the state keeps it. */
export interface UserFields {
  username: string;
  name: string;
  email: string;
  admin: boolean;
  external: boolean;
  /** Whether the address has been verified. */
  confirmed: boolean;
  identities: readonly Identity[];
  profile: Partial<UserProfile>;
}

/** External users make neither groups nor projects [L111]. */
export const EXTERNAL_LIMITS = { can_create_group: false, projects_limit: 0 };
export const DEFAULT_LIMITS = { can_create_group: true, projects_limit: 100_000 };
