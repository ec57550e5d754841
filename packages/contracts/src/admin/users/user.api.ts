import { z } from 'zod';
import { administrator, allOrNone, anyone, atLeastOne, defineEndpoint, user } from '../../endpoint.ts';
import {
  bool,
  datetime,
  described,
  fallback,
  int,
  nullable,
  oneOf,
  required,
  text,
  url,
} from '../../params.ts';
import { avatar } from '../../shared/avatar.ts';
import { customAttributes, descending, userId, withCustomAttributes } from '../../shared/common.params.ts';
import { userView } from '../../views.ts';
import { adminSingleUserView, adminUserView, ownUserView, singleUserView } from './user.views.ts';

const one = { id: userId };
const readsUsers = ['api', 'read_api', 'read_user'] as const;
const line = () => text({ max: 255 });

export const listUsers = defineEndpoint({
  id: 'user-list',
  service: 'admin',
  method: 'GET',
  path: '/users',
  summary: 'Users, the newest first; administrators see more of each, and may order and filter by more',
  spec: 'api-v4 L432',
  access: anyone,
  scopes: readsUsers,
  params: {
    search: described(
      text(),
      'Only users whose name or username holds this, or who have this e-mail address',
    ),
    username: described(text(), 'Only the user of this username'),
    active: described(bool(), 'Only active users'),
    blocked: described(bool(), 'Only blocked users'),
    external: described(bool(), 'Only external users'),
    exclude_internal: described(bool(), 'Leaves internal users out'),
    exclude_external: described(bool(), 'Leaves external users out'),
    extern_uid: described(text(), 'Only the user of this id at `provider`'),
    provider: described(text(), 'Identity provider that `extern_uid` is of'),
    created_before: described(datetime(), 'Only users created at or before this time'),
    created_after: described(datetime(), 'Only users created at or after this time'),
    without_projects: described(fallback(bool(), false), 'Only users without projects'),
    custom_attributes: customAttributes,
    with_custom_attributes: withCustomAttributes,
    order_by: described(
      fallback(oneOf('id', 'name', 'username', 'created_at', 'updated_at'), 'id'),
      'What the order goes by; for administrators',
    ),
    sort: descending,
    two_factor: described(
      oneOf('enabled', 'disabled'),
      'Only users with or without two factors; for administrators',
    ),
    admins: described(fallback(bool(), false), 'Only administrators; for administrators'),
    saml_provider_id: described(int(), 'Only users of this SAML provider'),
  },
  rules: [allOrNone('extern_uid', 'provider')],
  pagination: 'offset',
  response: z.array(z.union([userView, adminUserView])),
});

export const getUser = defineEndpoint({
  id: 'user-get',
  service: 'admin',
  method: 'GET',
  path: '/users/:id',
  summary: 'One user',
  spec: 'api-v4 L433',
  access: anyone,
  scopes: readsUsers,
  params: { ...one, with_custom_attributes: withCustomAttributes },
  response: z.union([singleUserView, adminSingleUserView]),
});

/** Parameters of both creation and update [L439]. */
const attributes = {
  password: described(text(), 'The password'),
  admin: described(bool(), 'Whether the user is an administrator'),
  avatar,
  bio: described(line(), 'What users say of themselves', { examples: ['Writes programs'] }),
  can_create_group: described(bool(), 'Whether the user may create groups'),
  color_scheme_id: described(int({ min: 1, max: 5 }), 'Colours of the file viewer'),
  extern_uid: described(line(), 'Id of the user at an identity provider'),
  external: described(bool(), 'Whether the user is external'),
  extra_shared_runners_minutes_limit: described(
    nullable(int({ min: 0 })),
    'Minutes on shared runners that were bought besides',
  ),
  group_id_for_saml: described(int(), 'Id of the group where SAML is set up'),
  job_title: described(line(), 'Profession'),
  linkedin: described(line(), 'LinkedIn account'),
  location: described(line(), 'Where the user is'),
  note: described(text(), 'Note of the administrators'),
  organization: described(line(), 'Where the user works'),
  private_profile: described(nullable(bool()), 'Whether only the user sees the profile'),
  projects_limit: described(int({ min: 0, max: 2 ** 31 - 1 }), 'Most projects of the user'),
  provider: described(line(), 'Name of the identity provider'),
  shared_runners_minutes_limit: described(nullable(int({ min: 0 })), 'Minutes a month on shared runners'),
  skype: described(line(), 'Skype account'),
  theme_id: described(int({ min: 1, max: 11 }), 'Theme of the pages'),
  twitter: described(line(), 'Twitter account'),
  view_diffs_file_by_file: described(bool(), 'Whether one file at a time is shown of a diff'),
  website_url: described(url({ max: 255, clearable: true }), 'Address of a site of the user'),
};

export const createUser = defineEndpoint({
  id: 'user-create',
  service: 'admin',
  method: 'POST',
  path: '/users',
  summary: 'Create a user',
  spec: 'api-v4 L434',
  access: administrator,
  params: {
    email: described(required(text()), 'The e-mail address', { examples: ['ada@example.org'] }),
    name: described(required(text()), 'Full name', { examples: ['Ada'] }),
    username: described(required(text()), 'The username', { examples: ['ada'] }),
    ...attributes,
    force_random_password: described(bool(), 'Gives a password that nobody knows', { examples: [true] }),
    reset_password: described(bool(), 'Sends a link for a password instead of one'),
    skip_confirmation: described(fallback(bool(), false), 'Takes the e-mail address as confirmed'),
  },
  rules: [
    atLeastOne('password', 'reset_password', 'force_random_password'),
    allOrNone('extern_uid', 'provider'),
  ],
  status: 201,
  response: adminSingleUserView,
});

export const updateUser = defineEndpoint({
  id: 'user-update',
  service: 'admin',
  method: 'PUT',
  path: '/users/:id',
  summary: 'Change a user',
  spec: 'api-v4 L435',
  access: administrator,
  params: {
    ...one,
    email: described(text(), 'The e-mail address', { examples: ['ada@example.org'] }),
    name: described(text(), 'Full name', { examples: ['Ada'] }),
    username: described(text(), 'The username', { examples: ['ada'] }),
    ...attributes,
    public_email: described(text(), 'The e-mail address that everybody sees, one of the confirmed ones'),
    skip_reconfirmation: described(fallback(bool(), false), 'Takes a new e-mail address as confirmed'),
  },
  rules: [allOrNone('extern_uid', 'provider')],
  response: adminSingleUserView,
});

export const deleteUser = defineEndpoint({
  id: 'user-delete',
  service: 'admin',
  method: 'DELETE',
  path: '/users/:id',
  summary:
    'Delete a user with their personal projects; `hard_delete` also deletes the groups that they alone own',
  spec: 'companions 2.2',
  access: administrator,
  params: {
    ...one,
    hard_delete: described(
      fallback(bool(), false),
      'Deletes also groups that the user alone owns, and what the user wrote',
    ),
  },
  status: 204,
});

/** A bare JSON literal: null or false if nothing changed. */
const outcome = {
  params: one,
  access: administrator,
  status: 201,
  response: z
    .boolean()
    .nullable()
    .meta({ examples: [true] }),
};

export const blockUser = defineEndpoint({
  ...outcome,
  id: 'user-block',
  service: 'admin',
  method: 'POST',
  path: '/users/:id/block',
  summary: 'Block a user; null when the user is already blocked',
  spec: 'companions 2.2',
});

export const unblockUser = defineEndpoint({
  ...outcome,
  id: 'user-unblock',
  service: 'admin',
  method: 'POST',
  path: '/users/:id/unblock',
  summary: 'Unblock a user; false when the user is not blocked',
  spec: 'companions 2.2',
});

const changeOfState = { ...outcome, service: 'admin', method: 'POST', spec: 'companions 2.2' } as const;

export const activateUser = defineEndpoint({
  ...changeOfState,
  id: 'user-activate',
  path: '/users/:id/activate',
  summary: 'Activate a user who was deactivated; false when the user is active',
});

export const deactivateUser = defineEndpoint({
  ...changeOfState,
  id: 'user-deactivate',
  path: '/users/:id/deactivate',
  summary:
    'Deactivate a user whose tokens nobody used for 90 days; null when the user is deactivated already',
});

export const banUser = defineEndpoint({
  ...changeOfState,
  id: 'user-ban',
  path: '/users/:id/ban',
  summary: 'Ban a user who is active',
});

export const unbanUser = defineEndpoint({
  ...changeOfState,
  id: 'user-unban',
  path: '/users/:id/unban',
  summary: 'Let a banned user in again',
});

export const deleteIdentity = defineEndpoint({
  id: 'user-identity-delete',
  service: 'admin',
  method: 'DELETE',
  path: '/users/:id/identities/:provider',
  summary: 'Take from a user what they are called at a provider of identities',
  spec: 'companions 2.2',
  access: administrator,
  params: {
    ...one,
    provider: described(required(line()), 'Name of the provider', { examples: ['ldap'] }),
  },
  status: 204,
});

export const getCurrentUser = defineEndpoint({
  id: 'current-user',
  service: 'admin',
  method: 'GET',
  path: '/user',
  summary: 'Who the credentials stand for, under sudo the user whose rights are used',
  spec: 'companions 2.1',
  access: user,
  scopes: readsUsers,
  params: {},
  response: z.union([ownUserView, adminSingleUserView]),
});

export const userEndpoints = [
  listUsers,
  getUser,
  createUser,
  updateUser,
  deleteUser,
  blockUser,
  unblockUser,
  activateUser,
  deactivateUser,
  banUser,
  unbanUser,
  deleteIdentity,
  getCurrentUser,
];
