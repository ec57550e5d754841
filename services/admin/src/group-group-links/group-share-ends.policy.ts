import { GroupGroupLinkCreated } from '@forgelog/contracts/admin/group-group-links/group-group-link.events.ts';
import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, type Condition, eq, or } from '@forgelog/eventing/query.ts';
import { endGroupShares } from './group-share-ends.commands.ts';

export function groupSharePolicies(ports: ServicePorts): Policy[] {
  const { directory } = ports;
  const end = (where: Condition, reaction: Reaction) =>
    endGroupShares(ports, { where, reason: 'deleted', ...reaction });

  return [
    definePolicy({
      name: 'end-group-shares-of-deleted',
      handles: [GroupDeleted],
      actsAs: 'actor',
      react: ({ data: { groupId } }, reaction) =>
        end(or(eq('groupId', groupId), eq('sharedWithGroupId', groupId)), reaction),
    }),
    definePolicy({
      /** A share that began while one of its groups was being deleted. */
      name: 'end-group-shares-in-deleted',
      handles: [GroupGroupLinkCreated],
      actsAs: 'system',
      async react({ data: { groupId, sharedWithGroupId } }, reaction) {
        if ((await directory.namespace(groupId)) && (await directory.namespace(sharedWithGroupId))) return;
        await end(and(eq('groupId', groupId), eq('sharedWithGroupId', sharedWithGroupId)), reaction);
      },
    }),
  ];
}
