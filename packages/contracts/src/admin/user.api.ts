import { z } from 'zod';
import { administrator, allOrNone, anyone, atLeastOne, defineEndpoint, user } from '../endpoint.ts';
import {
  bool,
  datetime,
  fallback,
  file,
  int,
  nullable,
  oneOf,
  required,
  text,
  textHash,
  url,
} from '../params.ts';
import { userView } from '../views.ts';
import { adminSingleUserView, adminUserView, ownUserView, singleUserView } from './user.views.ts';

const one = { id: required(int()) };
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
    search: text(),
    username: text(),
    active: bool(),
    blocked: bool(),
    external: bool(),
    exclude_internal: bool(),
    exclude_external: bool(),
    extern_uid: text(),
    provider: text(),
    created_before: datetime(),
    created_after: datetime(),
    without_projects: fallback(bool(), false),
    custom_attributes: textHash(),
    with_custom_attributes: bool(),
    order_by: fallback(oneOf('id', 'name', 'username', 'created_at', 'updated_at'), 'id'),
    sort: fallback(oneOf('asc', 'desc'), 'desc'),
    two_factor: oneOf('enabled', 'disabled'),
    admins: fallback(bool(), false),
    saml_provider_id: int(),
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
  params: { ...one, with_custom_attributes: bool() },
  response: z.union([singleUserView, adminSingleUserView]),
});

/** Of create and update alike [L439]. */
const attributes = {
  password: text(),
  admin: bool(),
  /** Images are not stored: see the routes. */
  avatar: nullable(file()),
  bio: line(),
  can_create_group: bool(),
  color_scheme_id: int({ min: 1, max: 5 }),
  extern_uid: line(),
  external: bool(),
  extra_shared_runners_minutes_limit: nullable(int({ min: 0 })),
  group_id_for_saml: int(),
  job_title: line(),
  linkedin: line(),
  location: line(),
  note: text(),
  organization: line(),
  private_profile: nullable(bool()),
  projects_limit: int({ min: 0, max: 2 ** 31 - 1 }),
  provider: line(),
  shared_runners_minutes_limit: nullable(int({ min: 0 })),
  skype: line(),
  theme_id: int({ min: 1, max: 11 }),
  twitter: line(),
  view_diffs_file_by_file: bool(),
  website_url: url({ max: 255, clearable: true }),
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
    email: required(text()),
    name: required(text()),
    username: required(text()),
    ...attributes,
    force_random_password: bool(),
    reset_password: bool(),
    skip_confirmation: fallback(bool(), false),
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
    email: text(),
    name: text(),
    username: text(),
    ...attributes,
    public_email: text(),
    skip_reconfirmation: fallback(bool(), false),
  },
  rules: [allOrNone('extern_uid', 'provider')],
  response: adminSingleUserView,
});

export const deleteUser = defineEndpoint({
  id: 'user-delete',
  service: 'admin',
  method: 'DELETE',
  path: '/users/:id',
  summary: 'Delete a user with his personal projects; `hard_delete` also the groups that he alone owns',
  spec: 'companions 2.2',
  access: administrator,
  params: { ...one, hard_delete: fallback(bool(), false) },
  status: 204,
});

/** A bare JSON literal: null or false where there was nothing to do. */
const outcome = { params: one, access: administrator, status: 201, response: z.boolean().nullable() };

export const blockUser = defineEndpoint({
  ...outcome,
  id: 'user-block',
  service: 'admin',
  method: 'POST',
  path: '/users/:id/block',
  summary: 'Keep a user out; null when he already is',
  spec: 'companions 2.2',
});

export const unblockUser = defineEndpoint({
  ...outcome,
  id: 'user-unblock',
  service: 'admin',
  method: 'POST',
  path: '/users/:id/unblock',
  summary: 'Let a blocked user in again; false when he is not blocked',
  spec: 'companions 2.2',
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
  getCurrentUser,
];
