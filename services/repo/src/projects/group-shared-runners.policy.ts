import { GroupUpdated } from '@forgelog/contracts/admin/groups/group.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { type ProjectsBelowPorts, toProjectsBelow } from './projects-below.ts';

/**
 * A group that turns shared runners off, and lets projects override it, turns them off in all projects below it. Each may
 * turn them on again, and stays so when the reaction repeats.
 */
export function groupSharedRunnerPolicies(ports: ProjectsBelowPorts): Policy[] {
  return [
    definePolicy({
      name: 'shared-runners-of-groups',
      handles: [GroupUpdated],
      actsAs: 'system',
      async react({ id: operationId, data: { groupId, changes } }, reaction) {
        if (changes.settings?.shared_runners_setting !== 'disabled_with_override') return;
        await toProjectsBelow(ports, groupId, (projectId) => ({ type: 'TurnSharedRunnersOff', projectId }), {
          operationId,
          ...reaction,
        });
      },
    }),
  ];
}
