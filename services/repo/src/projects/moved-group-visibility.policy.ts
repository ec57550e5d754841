import { GroupTransferred } from '@forgelog/contracts/admin/groups/group.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { type ProjectsBelowPorts, toProjectsBelow } from './projects-below.ts';

/** Tells of each project below a moved group that it is less open; nobody sees more of it meanwhile. */
export function movedGroupVisibilityPolicies(ports: ProjectsBelowPorts): Policy[] {
  return [
    definePolicy({
      name: 'projects-of-moved-groups',
      handles: [GroupTransferred],
      actsAs: 'actor',
      async react({ id: operationId, data: { groupId, changes } }, reaction) {
        const { visibility: ceiling } = changes;
        if (ceiling === undefined) return;
        await toProjectsBelow(
          ports,
          groupId,
          (projectId) => ({ type: 'LowerVisibility', projectId, ceiling }),
          { operationId, ...reaction },
        );
      },
    }),
  ];
}
