import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { projectId, userId } from '../../shared/common.params.ts';
import {
  addedMembersView,
  addMemberParams,
  memberListParams,
  membershipParams,
  memberView,
  PROJECT_LEVELS,
  singleMemberView,
} from './member.views.ts';

// A signed-in caller who sees the project sees its members [L184].
const readable = { service: 'admin', access: project('anyone', { signedIn: true }) } as const;
const one = { id: projectId, user_id: userId };
const membership = membershipParams(PROJECT_LEVELS);

export const listProjectMembers = defineEndpoint({
  ...readable,
  id: 'project-member-list',
  method: 'GET',
  path: '/projects/:id/members',
  summary: 'Direct members of a project',
  spec: 'api-v4 L447',
  params: { id: projectId, ...memberListParams },
  pagination: 'offset',
  response: z.array(memberView),
});

export const listAllProjectMembers = defineEndpoint({
  ...readable,
  id: 'project-member-all-list',
  method: 'GET',
  path: '/projects/:id/members/all',
  summary: 'Members of a project, inherited ones included, each with the highest access level',
  spec: 'api-v4 L448',
  params: { id: projectId, ...memberListParams },
  pagination: 'offset',
  response: z.array(memberView),
});

export const getProjectMember = defineEndpoint({
  ...readable,
  id: 'project-member-get',
  method: 'GET',
  path: '/projects/:id/members/:user_id',
  summary: 'One direct member of a project',
  spec: 'api-v4 L449',
  params: one,
  response: singleMemberView,
});

export const getAnyProjectMember = defineEndpoint({
  ...readable,
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
  params: { id: projectId, ...addMemberParams, ...membership },
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
  params: { ...one, ...membership },
  response: singleMemberView,
});

export const removeProjectMember = defineEndpoint({
  ...readable,
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
