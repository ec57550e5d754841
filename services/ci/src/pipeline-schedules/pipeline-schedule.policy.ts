import {
  UserBanned,
  UserBlocked,
  UserDeactivated,
  UserDeleted,
} from '@forgelog/contracts/admin/users/user.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { pipelineScheduleDecider, pipelineScheduleStream } from './pipeline-schedule.decider.ts';
import { pipelineSchedules } from './pipeline-schedules.projection.ts';

const AT_ONCE = 100;

export function pipelineSchedulePolicies({ commands, readStore }: ServicePorts): Policy[] {
  return [
    definePolicy({
      name: 'deactivate-schedules-of-absent-users',
      handles: [UserBlocked, UserDeactivated, UserBanned, UserDeleted],
      actsAs: 'actor',
      async react({ data: { userId } }, { metadata, signal }) {
        const query = { where: and(eq('ownerId', userId), eq('active', true)), sort: [asc('id')] };
        for (;;) {
          const active = await readStore.find(pipelineSchedules, { ...query, limit: AT_ONCE });
          for (const { id: pipelineScheduleId, projectId } of active) {
            if (signal.aborted) return;
            await commands.handle(
              pipelineScheduleDecider,
              pipelineScheduleStream(pipelineScheduleId),
              { type: 'DeactivateSchedulesOf', pipelineScheduleId, projectId, userId },
              metadata,
            );
          }
          if (active.length < AT_ONCE) return;
        }
      },
    }),
  ];
}
