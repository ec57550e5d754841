import { USER_PROFILE_DEFAULTS, type UserProfile } from '@forgelog/contracts/admin/users/user.events.ts';
import {
  adminSingleUserView,
  adminUserView,
  ownUserView,
  singleUserView,
} from '@forgelog/contracts/admin/users/user.views.ts';
import { userView } from '@forgelog/contracts/views.ts';
import { lineToHtml } from '@forgelog/service-kit/markdown/markdown.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven, tier } from '@forgelog/service-kit/view-optional.ts';
import { constant, derived, host, text, unlessNull } from '@forgelog/service-kit/view-parts.ts';
import type { ShownAttribute } from '../custom-attributes/custom-attribute.query.ts';
import type { UserRecord } from './user-record.ts';

/** What a profile says, or what holds until it does. */
const profile = <K extends keyof UserProfile>(name: K) =>
  derived(['profile'], (said: Partial<UserProfile>) => said[name] ?? USER_PROFILE_DEFAULTS[name]);

const basic = implementView(userView).from<UserRecord>({
  id: 'id',
  username: 'username',
  name: 'name',
  state: 'state',
  avatar_url: unlessNull('avatarUrl', text`${host}${'avatarUrl'}`),
  web_url: text`${host}/${'username'}`,
});

const described = {
  bio: profile('bio'),
  bio_html: derived(['profile'], (said: Partial<UserProfile>) => lineToHtml(said.bio ?? '')),
  location: profile('location'),
  skype: profile('skype'),
  linkedin: profile('linkedin'),
  twitter: profile('twitter'),
  website_url: profile('website_url'),
  organization: profile('organization'),
  job_title: profile('job_title'),
};

const single = {
  bot: 'bot',
  public_email: profile('public_email'),
  followers: 0,
  following: 0,
} as const;

const projectsLimit = (said: Partial<UserProfile>) =>
  said.projects_limit ?? USER_PROFILE_DEFAULTS.projects_limit;

/** Sign-ins are not kept: these fields are null, their count is 0. */
const account = {
  email: 'email',
  last_sign_in_at: null,
  confirmed_at: 'confirmedAt',
  theme_id: profile('theme_id'),
  last_activity_on: null,
  color_scheme_id: profile('color_scheme_id'),
  projects_limit: derived(['profile'], projectsLimit),
  current_sign_in_at: null,
  identities: 'identities',
  can_create_group: profile('can_create_group'),
  can_create_project: derived(['profile'], (said: Partial<UserProfile>) => projectsLimit(said) > 0),
  two_factor_enabled: false,
  external: 'external',
  private_profile: profile('private_profile'),
} as const;

const commitEmail = derived(
  ['profile', 'email'],
  (said: Partial<UserProfile>, email: string) => said.commit_email ?? email,
);

/** A user in the lists of those who are no administrators [L35]. */
export const listedUserJson = basic;

/** The public view of a single user [L36]. When an account was made is hidden by a private profile. */
export const publicUserJson = implementView(singleUserView).from<UserRecord>({
  ...basic.members,
  created_at: derived(['profile', 'createdAt'], (said: Partial<UserProfile>, createdAt: string) =>
    said.private_profile ? null : createdAt,
  ),
  ...described,
  ...single,
});

/** Users as they see themselves. */
export const ownUserJson = implementView(ownUserView).from<UserRecord>({
  ...basic.members,
  created_at: 'createdAt',
  ...described,
  ...single,
  ...account,
  commit_email: commitEmail,
});

interface AdminRequest {
  /** Attributes of each user; undefined where they are not asked for. */
  customAttributes: ReadonlyMap<number, ShownAttribute[]> | undefined;
}

/** A user as administrators see them in lists [L39]. */
export const adminUserJson = implementView(adminUserView).from<UserRecord, AdminRequest>({
  ...basic.members,
  created_at: 'createdAt',
  ...described,
  ...account,
  is_admin: 'admin',
  note: profile('note'),
  current_sign_in_ip: null,
  last_sign_in_ip: null,
  shared_runners_minutes_limit: tier('premium', profile('shared_runners_minutes_limit')),
  extra_shared_runners_minutes_limit: tier('premium', profile('extra_shared_runners_minutes_limit')),
  is_auditor: tier('premium', false),
  using_license_seat: tier(
    'premium',
    derived(['state', 'bot'], (state: string, bot: boolean) => state === 'active' && !bot),
  ),
  provisioned_by_group_id: tier('premium', null),
  custom_attributes: ifGiven(({ id }: UserRecord, { customAttributes }: AdminRequest) =>
    customAttributes ? (customAttributes.get(id) ?? []) : undefined,
  ),
});

/** A single user as administrators see them. */
export const adminSingleUserJson = implementView(adminSingleUserView).from<UserRecord, AdminRequest>({
  ...adminUserJson.members,
  ...single,
  commit_email: commitEmail,
  sign_in_count: 0,
  plan: tier('premium', constant('default')),
  trial: tier('premium', false),
});
