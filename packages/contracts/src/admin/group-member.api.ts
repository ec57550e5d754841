import { z } from 'zod';
import { defineEndpoint, group } from '../endpoint.ts';
import { bool } from '../params.ts';
import {
  addedMembersView,
  addMemberParams,
  changeMemberParams,
  memberListParams,
  memberView,
  oneMember,
  singleMemberView,
} from './member.views.ts';

// Whoever sees the group sees its members, once signed in [L184].
const readable = { service: 'admin', access: group('anyone', { signedIn: true }) } as const;

export const listGroupMembers = defineEndpoint({
  ...readable,
  id: 'group-member-list',
  method: 'GET',
  path: '/groups/:id/members',
  summary: 'Direct members of a group',
  spec: 'api-v4 L447',
  params: memberListParams,
  pagination: 'offset',
  response: z.array(memberView),
});

export const listAllGroupMembers = defineEndpoint({
  ...readable,
  id: 'group-member-all-list',
  method: 'GET',
  path: '/groups/:id/members/all',
  summary: 'Members of a group, inherited ones included, each with his highest access level',
  spec: 'api-v4 L448',
  params: memberListParams,
  pagination: 'offset',
  response: z.array(memberView),
});

export const getGroupMember = defineEndpoint({
  ...readable,
  id: 'group-member-get',
  method: 'GET',
  path: '/groups/:id/members/:user_id',
  summary: 'One direct member of a group',
  spec: 'api-v4 L449',
  params: oneMember,
  response: singleMemberView,
});

export const getAnyGroupMember = defineEndpoint({
  ...readable,
  id: 'group-member-all-get',
  method: 'GET',
  path: '/groups/:id/members/all/:user_id',
  summary: 'One member of a group, direct or inherited',
  spec: 'api-v4 L450',
  params: oneMember,
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
  params: addMemberParams,
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
  params: changeMemberParams,
  response: singleMemberView,
});

export const removeGroupMember = defineEndpoint({
  ...readable,
  id: 'group-member-remove',
  method: 'DELETE',
  path: '/groups/:id/members/:user_id',
  summary: 'Remove a member from a group and what lies in it, or leave it',
  spec: 'companions 2.4',
  params: { ...oneMember, skip_subresources: bool() },
  status: 204,
});

export const groupMemberEndpoints = [
  listGroupMembers,
  listAllGroupMembers,
  getGroupMember,
  getAnyGroupMember,
  addGroupMember,
  changeGroupMember,
  removeGroupMember,
];
