import { z } from 'zod';
import { defineEndpoint, group } from '../../endpoint.ts';
import { described, oneOf, text } from '../../params.ts';
import { groupId, userId } from '../../shared/common.params.ts';
import { datetimeView, dateView, defineView, userView } from '../../views.ts';
import examples from './billable-member.examples.json' with { type: 'json' };

/** Billable member [L115]. */
export const billableMemberView = defineView(
  'BillableMember',
  {
    ...userView.shape,
    /** The public address, if the member has one. */
    email: z.string().nullable(),
    last_activity_on: dateView.nullable(),
    membership_type: z.enum(['group_member', 'project_member']),
    removable: z.boolean(),
    created_at: datetimeView,
  },
  examples.BillableMember,
);

/** Billable membership [L115]. Its access level is an object. */
export const billableMembershipView = defineView(
  'BillableMembership',
  {
    id: z.int(),
    source_id: z.int(),
    source_full_name: z.string(),
    source_members_url: z.string(),
    created_at: datetimeView,
    expires_at: dateView.nullable(),
    access_level: defineView('BillableAccessLevel', { string_value: z.string(), integer_value: z.int() }),
  },
  examples.BillableMembership,
);

export const BILLABLE_SORTS = [
  'access_level_asc',
  'access_level_desc',
  'last_joined',
  'name_asc',
  'name_desc',
  'oldest_joined',
  'oldest_sign_in',
  'recent_sign_in',
  'last_activity_on_asc',
  'last_activity_on_desc',
] as const;

const base = '/groups/:id/billable_members';
const one = { id: groupId, user_id: userId };
const common = { service: 'admin', access: group('owner'), tier: 'premium' } as const;

export const listBillableMembers = defineEndpoint({
  ...common,
  id: 'billable-member-list',
  method: 'GET',
  path: base,
  summary: 'Who takes a seat in a top-level group, its subgroups and projects',
  spec: 'api-v4 L451',
  params: {
    id: groupId,
    search: described(text({ max: 255 }), 'Only members whose name or username holds this'),
    sort: described(oneOf(...BILLABLE_SORTS), 'Order of the members'),
  },
  pagination: 'offset',
  response: z.array(billableMemberView),
});

export const listBillableMemberships = defineEndpoint({
  ...common,
  id: 'billable-member-memberships',
  method: 'GET',
  path: `${base}/:user_id/memberships`,
  summary: 'Direct memberships of a user inside the hierarchy of a top-level group',
  spec: 'api-v4 L452',
  params: one,
  pagination: 'offset',
  response: z.array(billableMembershipView),
});

export const removeBillableMember = defineEndpoint({
  ...common,
  id: 'billable-member-remove',
  method: 'DELETE',
  path: `${base}/:user_id`,
  summary: 'Remove a user from a top-level group, its subgroups and projects',
  spec: 'api-v4 L453',
  params: one,
  status: 204,
});

export const billableMemberEndpoints = [listBillableMembers, listBillableMemberships, removeBillableMember];
