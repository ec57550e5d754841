import { z } from 'zod';
import { defineEndpoint, group, project } from '../endpoint.ts';
import { bool, date, idOrPath, int, list, nullable, oneOfInts, required, text } from '../params.ts';
import { datetimeView, dateView, userView } from '../views.ts';

/** Access levels a client may name [L118]; which of them a group or a project takes is the deciders' word. */
const LEVELS = [0, 5, 10, 20, 30, 40, 50] as const;

/** Member in a list [L115]. */
export const memberView = userView.extend({
  access_level: z.int(),
  expires_at: dateView.nullable(),
  /** Only of users with a public email. */
  email: z.string().optional(),
});
/** Member in the single view [L115]. */
export const singleMemberView = memberView.extend({ created_at: datetimeView });
/** What came of adding a comma-separated list of users: who could not be added is named with the reason. */
export const addedMembersView = z.strictObject({
  status: z.enum(['success', 'error']),
  message: z.record(z.string(), z.string()).optional(),
});

const listParams = { id: idOrPath(), query: text({ max: 255 }), user_ids: list(int()) };
const one = { id: idOrPath(), user_id: required(int()) };
const addParams = {
  id: idOrPath(),
  user_id: required(list(int(), { max: 100 })),
  access_level: required(oneOfInts(...LEVELS)),
  expires_at: nullable(date()),
  invite_source: text({ max: 255 }),
  areas_of_focus: text(),
};
const changeParams = {
  ...one,
  access_level: required(oneOfInts(...LEVELS)),
  expires_at: nullable(date()),
};

// Whoever sees a group or a project sees its members, once signed in [L184].
const groupMembers = { service: 'admin', access: group('anyone', { signedIn: true }) } as const;
const projectMembers = { service: 'admin', access: project('anyone', { signedIn: true }) } as const;

export const listGroupMembers = defineEndpoint({
  ...groupMembers,
  id: 'group-member-list',
  method: 'GET',
  path: '/groups/:id/members',
  summary: 'Direct members of a group',
  spec: 'api-v4 L447',
  params: listParams,
  pagination: 'offset',
  response: z.array(memberView),
});

export const listAllGroupMembers = defineEndpoint({
  ...groupMembers,
  id: 'group-member-all-list',
  method: 'GET',
  path: '/groups/:id/members/all',
  summary: 'Members of a group, inherited ones included, each with his highest access level',
  spec: 'api-v4 L448',
  params: listParams,
  pagination: 'offset',
  response: z.array(memberView),
});

export const getGroupMember = defineEndpoint({
  ...groupMembers,
  id: 'group-member-get',
  method: 'GET',
  path: '/groups/:id/members/:user_id',
  summary: 'One direct member of a group',
  spec: 'api-v4 L449',
  params: one,
  response: singleMemberView,
});

export const getAnyGroupMember = defineEndpoint({
  ...groupMembers,
  id: 'group-member-all-get',
  method: 'GET',
  path: '/groups/:id/members/all/:user_id',
  summary: 'One member of a group, direct or inherited',
  spec: 'api-v4 L450',
  params: one,
  response: singleMemberView,
});

export const addGroupMember = defineEndpoint({
  service: 'admin',
  access: group('owner'),
  id: 'group-member-add',
  method: 'POST',
  path: '/groups/:id/members',
  summary: 'Add one user, or a comma-separated list of users, to a group',
  spec: 'api-v4 L454',
  params: addParams,
  status: 201,
  response: z.union([singleMemberView, addedMembersView]),
});

export const changeGroupMember = defineEndpoint({
  service: 'admin',
  access: group('owner'),
  id: 'group-member-update',
  method: 'PUT',
  path: '/groups/:id/members/:user_id',
  summary: 'Change the access level or the end of a membership in a group',
  spec: 'companions 2.4',
  params: changeParams,
  response: singleMemberView,
});

export const removeGroupMember = defineEndpoint({
  ...groupMembers,
  id: 'group-member-remove',
  method: 'DELETE',
  path: '/groups/:id/members/:user_id',
  summary: 'Remove a member from a group and what lies in it, or leave it',
  spec: 'companions 2.4',
  params: { ...one, skip_subresources: bool() },
  status: 204,
});

export const listProjectMembers = defineEndpoint({
  ...projectMembers,
  id: 'project-member-list',
  method: 'GET',
  path: '/projects/:id/members',
  summary: 'Direct members of a project',
  spec: 'api-v4 L447',
  params: listParams,
  pagination: 'offset',
  response: z.array(memberView),
});

export const listAllProjectMembers = defineEndpoint({
  ...projectMembers,
  id: 'project-member-all-list',
  method: 'GET',
  path: '/projects/:id/members/all',
  summary: 'Members of a project, inherited ones included, each with his highest access level',
  spec: 'api-v4 L448',
  params: listParams,
  pagination: 'offset',
  response: z.array(memberView),
});

export const getProjectMember = defineEndpoint({
  ...projectMembers,
  id: 'project-member-get',
  method: 'GET',
  path: '/projects/:id/members/:user_id',
  summary: 'One direct member of a project',
  spec: 'api-v4 L449',
  params: one,
  response: singleMemberView,
});

export const getAnyProjectMember = defineEndpoint({
  ...projectMembers,
  id: 'project-member-all-get',
  method: 'GET',
  path: '/projects/:id/members/all/:user_id',
  summary: 'One member of a project, direct or inherited',
  spec: 'api-v4 L450',
  params: one,
  response: singleMemberView,
});

export const addProjectMember = defineEndpoint({
  service: 'admin',
  access: project('maintainer'),
  id: 'project-member-add',
  method: 'POST',
  path: '/projects/:id/members',
  summary: 'Add one user, or a comma-separated list of users, to a project',
  spec: 'api-v4 L454',
  params: addParams,
  status: 201,
  response: z.union([singleMemberView, addedMembersView]),
});

export const changeProjectMember = defineEndpoint({
  service: 'admin',
  access: project('maintainer'),
  id: 'project-member-update',
  method: 'PUT',
  path: '/projects/:id/members/:user_id',
  summary: 'Change the access level or the end of a membership in a project',
  spec: 'companions 2.4',
  params: changeParams,
  response: singleMemberView,
});

export const removeProjectMember = defineEndpoint({
  ...projectMembers,
  id: 'project-member-remove',
  method: 'DELETE',
  path: '/projects/:id/members/:user_id',
  summary: 'Remove a member from a project, or leave it',
  spec: 'companions 2.4',
  params: one,
  status: 204,
});

export const projectMemberEndpoints = [
  listProjectMembers,
  listAllProjectMembers,
  getProjectMember,
  getAnyProjectMember,
  addProjectMember,
  changeProjectMember,
  removeProjectMember,
];

export const groupMemberEndpoints = [
  listGroupMembers,
  listAllGroupMembers,
  getGroupMember,
  getAnyGroupMember,
  addGroupMember,
  changeGroupMember,
  removeGroupMember,
];
