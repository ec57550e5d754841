import { z } from 'zod';
import { administrator, defineEndpoint } from '../../endpoint.ts';
import { described, oneOf } from '../../params.ts';
import { userId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './member.examples.json' with { type: 'json' };

/** What a user is a direct member of. */
export const userMembershipView = defineView(
  'UserMembership',
  {
    source_id: z.int(),
    source_name: z.string(),
    source_type: z.enum(['Project', 'Namespace']),
    access_level: z.int(),
  },
  examples.UserMembership,
);

export const listUserMemberships = defineEndpoint({
  id: 'user-membership-list',
  service: 'admin',
  method: 'GET',
  path: '/users/:user_id/memberships',
  summary: 'Projects and groups that a user is a direct member of',
  spec: 'companions 2.2',
  access: administrator,
  params: {
    user_id: userId,
    type: described(oneOf('Project', 'Namespace'), 'Only projects, or only groups'),
  },
  pagination: 'offset',
  response: z.array(userMembershipView),
});

export const userMembershipEndpoints = [listUserMemberships];
