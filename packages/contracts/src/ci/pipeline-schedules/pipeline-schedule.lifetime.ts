import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import {
  PipelineScheduleCreated,
  PipelineScheduleDeleted,
  PipelineScheduleRan,
  PipelineScheduleUpdated,
} from './pipeline-schedule.events.ts';

export const pipelineScheduleLifetime = defineLifetime({
  kind: 'PipelineSchedule',
  id: ['pipelineScheduleId'],
  begins: [begins(PipelineScheduleCreated)],
  changes: changedBy(PipelineScheduleUpdated, PipelineScheduleRan),
  ends: [endsWith(PipelineScheduleDeleted, ['pipelineScheduleId']), endsWith(ProjectDeleted, ['projectId'])],
});
