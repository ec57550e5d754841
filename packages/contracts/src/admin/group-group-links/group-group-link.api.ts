import { defineEndpoint, group } from '../../endpoint.ts';
import { date, described, int, nullable, oneOfInts, required } from '../../params.ts';
import { groupId } from '../../shared/common.params.ts';
import { groupDetailView } from '../groups/group.views.ts';

const common = { service: 'admin', access: group('owner'), spec: 'companions 2.4' } as const;
const sharedWith = described(required(int({ min: 1 })), 'Id of the group whose members get access', {
  examples: [5],
});

export const shareGroup = defineEndpoint({
  ...common,
  id: 'group-share',
  method: 'POST',
  path: '/groups/:id/share',
  summary: 'Give the members of another group access to a group and all below, up to a level',
  params: {
    id: groupId,
    group_id: sharedWith,
    group_access: described(
      required(oneOfInts(10, 20, 30, 40, 50)),
      'The most that they are: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner',
      { examples: [30] },
    ),
    expires_at: described(nullable(date()), 'First day without the access; null for no end'),
  },
  status: 201,
  response: groupDetailView,
});

export const unshareGroup = defineEndpoint({
  ...common,
  id: 'group-unshare',
  method: 'DELETE',
  path: '/groups/:id/share/:group_id',
  summary: 'Take back the access of the members of another group',
  params: { id: groupId, group_id: sharedWith },
  status: 204,
});

export const groupGroupLinkEndpoints = [shareGroup, unshareGroup];
