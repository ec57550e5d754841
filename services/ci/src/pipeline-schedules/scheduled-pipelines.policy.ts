import { PipelineScheduleRan } from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.events.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { SealedTextError } from '@forgelog/service-kit/sealed.ts';
import { PipelineRefusal } from '../pipelines/pipeline-creation.commands.ts';
import type { CiPorts } from '../ports.ts';
import { pipelineSchedules } from './pipeline-schedules.projection.ts';
import { openScheduleVariables, scheduleSealer } from './schedule-variables.ts';

export function scheduledPipelinePolicies(ports: CiPorts): Policy[] {
  const { directory, log, pipelineCreation, readStore } = ports;
  const sealer = scheduleSealer(ports);
  return [
    definePolicy({
      name: 'create-scheduled-pipelines',
      handles: [PipelineScheduleRan],
      actsAs: 'system',
      async react({ id: causeId, data: { pipelineScheduleId, projectId, userId } }, { metadata }) {
        const schedule = await readStore.get(pipelineSchedules, pipelineScheduleId);
        const user = await actingUser(directory, userId);
        if (!schedule || !user) return;
        try {
          const variables = openScheduleVariables(schedule, sealer);
          await pipelineCreation.create({
            ...{ projectId, user, source: 'schedule', ref: schedule.ref, causeId, metadata },
            variables: variables.map(({ key, value, variableType: type }) => ({ key, value, type })),
            invalid: 'recorded',
          });
        } catch (error) {
          // A retry would end in the same way, and hold up other schedules.
          if (!(error instanceof PipelineRefusal || error instanceof SealedTextError)) throw error;
          log.warn({ err: error, pipelineScheduleId, projectId }, 'a scheduled pipeline was not created');
        }
      },
    }),
  ];
}
