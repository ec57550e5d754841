import { z } from 'zod';
import { customAttributeView, datetimeView, dateView, defineView, userView } from '../../views.ts';
import examples from './user.examples.json' with { type: 'json' };

const profile = {
  bio: z.string(),
  bio_html: z.string(),
  location: z.string().nullable(),
  skype: z.string(),
  linkedin: z.string(),
  twitter: z.string(),
  website_url: z.string(),
  organization: z.string().nullable(),
  job_title: z.string(),
};

/** Public view of a single user [L36]. `created_at` is null where the profile is private. */
export const singleUserView = defineView(
  'UserProfile',
  {
    ...userView.shape,
    ...profile,
    created_at: datetimeView.nullable(),
    bot: z.boolean(),
    public_email: z.string(),
    followers: z.int(),
    following: z.int(),
  },
  examples.UserProfile,
);

const identityView = defineView('UserIdentity', {
  provider: z.string(),
  extern_uid: z.string(),
  saml_provider_id: z.int().nullable().optional(),
});

const account = {
  email: z.string(),
  last_sign_in_at: datetimeView.nullable(),
  confirmed_at: datetimeView.nullable(),
  theme_id: z.int(),
  last_activity_on: dateView.nullable(),
  color_scheme_id: z.int(),
  projects_limit: z.int(),
  current_sign_in_at: datetimeView.nullable(),
  identities: z.array(identityView),
  can_create_group: z.boolean(),
  can_create_project: z.boolean(),
  two_factor_enabled: z.boolean(),
  external: z.boolean(),
  private_profile: z.boolean(),
};

const premium = {
  shared_runners_minutes_limit: z.int().nullable(),
  extra_shared_runners_minutes_limit: z.int().nullable(),
  is_auditor: z.boolean(),
  using_license_seat: z.boolean(),
  provisioned_by_group_id: z.int().nullable(),
};

/** The caller's own view in GET /user, for callers who are not administrators. */
export const ownUserView = defineView('CurrentUser', {
  ...singleUserView.shape,
  ...account,
  created_at: datetimeView,
  commit_email: z.string().nullable(),
});

/** Administrator view [L39] in lists; premium fields exist only in that edition. */
export const adminUserView = defineView(
  'AdminUser',
  {
    ...userView.shape,
    ...profile,
    ...account,
    created_at: datetimeView,
    is_admin: z.boolean(),
    note: z.string().nullable(),
    current_sign_in_ip: z.string().nullable(),
    last_sign_in_ip: z.string().nullable(),
    custom_attributes: z.array(customAttributeView).optional(),
    ...z.object(premium).partial().shape,
  },
  examples.AdminUser,
);

/** Administrator view of a single user. `plan` and `trial` exist only in the paid editions. */
export const adminSingleUserView = defineView(
  'AdminUserDetail',
  {
    ...adminUserView.shape,
    public_email: z.string(),
    commit_email: z.string().nullable(),
    sign_in_count: z.int(),
    bot: z.boolean(),
    followers: z.int(),
    following: z.int(),
    plan: z.string().optional(),
    trial: z.boolean().optional(),
  },
  examples.AdminUserDetail,
);
