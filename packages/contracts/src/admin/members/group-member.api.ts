import { z } from 'zod';
import { defineEndpoint, group } from '../../endpoint.ts';
import { bool, described } from '../../params.ts';
import { groupId, userId } from '../../shared/common.params.ts';
import {
  addedMembersView,
  addMemberParams,
  GROUP_LEVELS,
  memberListParams,
  membershipParams,
  memberView,
  singleMemberView,
} from './member.views.ts';

// A signed-in caller who sees the group sees its members [L184].
const readable = { service: 'admin', access: group('anyone', { signedIn: true }) } as const;
const one = { id: groupId, user_id: userId };
const membership = membershipParams(GROUP_LEVELS);

export const listGroupMembers = defineEndpoint({
  ...readable,
  id: 'group-member-list',
  method: 'GET',
  path: '/groups/:id/members',
  summary: 'Direct members of a group',
  spec: 'api-v4 L447',
  params: { id: groupId, ...memberListParams },
  pagination: 'offset',
  response: z.array(memberView),
});

export const listAllGroupMembers = defineEndpoint({
  ...readable,
  id: 'group-member-all-list',
  method: 'GET',
  path: '/groups/:id/members/all',
  summary: 'Members of a group, inherited ones included, each with the highest access level',
  spec: 'api-v4 L448',
  params: { id: groupId, ...memberListParams },
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
  params: one,
  response: singleMemberView,
});

export const getAnyGroupMember = defineEndpoint({
  ...readable,
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
  params: { id: groupId, ...addMemberParams, ...membership },
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
  params: { ...one, ...membership },
  response: singleMemberView,
});

export const removeGroupMember = defineEndpoint({
  ...readable,
  id: 'group-member-remove',
  method: 'DELETE',
  path: '/groups/:id/members/:user_id',
  summary: 'Remove a member from a group and what lies in it, or leave it',
  spec: 'companions 2.4',
  params: {
    ...one,
    skip_subresources: described(bool(), 'Leaves the memberships in what lies below the group'),
  },
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
