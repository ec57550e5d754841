import { z } from 'zod';
import { defineEndpoint, group, project } from '../../endpoint.ts';
import { described, list, required, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './member.examples.json' with { type: 'json' };
import { addedMembersView, GROUP_LEVELS, membershipParams, PROJECT_LEVELS } from './member.views.ts';

/** Invitation that waits (companions 2.3). None does: whoever is invited has an account, and is a member at once. */
const invitationView = defineView(
  'Invitation',
  {
    invite_email: z.string(),
    access_level: z.int(),
    created_at: datetimeView,
    expires_at: z.string().nullable(),
    user_name: z.string().nullable(),
    created_by_name: z.string(),
  },
  examples.Invitation,
);

const common = { service: 'admin', spec: 'companions 2.3' } as const;
const query = { query: described(text({ max: 255 }), 'Only those whose address holds this') };
const emails = {
  email: described(
    required(list(text({ max: 255 }), { max: 100 })),
    'E-mail address of a user, or several with commas between',
    { examples: ['ada@example.org'] },
  ),
  invite_source: described(text({ max: 255 }), 'Taken and not kept'),
};

export const listProjectInvitations = defineEndpoint({
  ...common,
  access: project('maintainer'),
  id: 'project-invitation-list',
  method: 'GET',
  path: '/projects/:id/invitations',
  summary: 'Invitations to a project that wait: none, as whoever is invited is a member at once',
  params: { id: projectId, ...query },
  pagination: 'offset',
  response: z.array(invitationView),
});

export const inviteToProject = defineEndpoint({
  ...common,
  access: project('maintainer'),
  id: 'project-invitation-create',
  method: 'POST',
  path: '/projects/:id/invitations',
  summary: 'Make members of a project of users, by their e-mail addresses',
  params: { id: projectId, ...emails, ...membershipParams(PROJECT_LEVELS) },
  status: 201,
  response: addedMembersView,
});

export const listGroupInvitations = defineEndpoint({
  ...common,
  access: group('owner'),
  id: 'group-invitation-list',
  method: 'GET',
  path: '/groups/:id/invitations',
  summary: 'Invitations to a group that wait: none, as whoever is invited is a member at once',
  params: { id: groupId, ...query },
  pagination: 'offset',
  response: z.array(invitationView),
});

export const inviteToGroup = defineEndpoint({
  ...common,
  access: group('owner'),
  id: 'group-invitation-create',
  method: 'POST',
  path: '/groups/:id/invitations',
  summary: 'Make members of a group of users, by their e-mail addresses',
  params: { id: groupId, ...emails, ...membershipParams(GROUP_LEVELS) },
  status: 201,
  response: addedMembersView,
});

export const invitationEndpoints = [
  listProjectInvitations,
  inviteToProject,
  listGroupInvitations,
  inviteToGroup,
];
