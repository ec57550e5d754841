import {
  pipelineScheduleDetailView,
  pipelineScheduleVariableView,
  pipelineScheduleView,
} from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { when } from '@forgelog/service-kit/view-optional.ts';
import { nested, nestedList } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import { listedPipelineJson } from '../pipelines/pipeline.view.ts';
import type { PipelineRow } from '../pipelines/pipelines.projection.ts';
import type { ScheduleVariable } from './pipeline-schedule.rules.ts';
import type { PipelineScheduleRow } from './pipeline-schedules.projection.ts';

export const pipelineScheduleJson = implementView(pipelineScheduleView).from<PipelineScheduleRow>({
  id: 'id',
  description: 'description',
  ref: 'ref',
  cron: 'cron',
  cron_timezone: 'cronTimezone',
  next_run_at: 'nextRunAt',
  active: 'active',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  owner: user('ownerId'),
});

/** The value is open here. */
export const scheduleVariableJson = implementView(pipelineScheduleVariableView).from<ScheduleVariable>({
  variable_type: 'variableType',
  key: 'key',
  value: 'value',
});

export interface ShownSchedule extends PipelineScheduleRow {
  /** Null for callers who may not see them. */
  openVariables: readonly ScheduleVariable[] | null;
  lastPipeline: PipelineRow | undefined;
}

export const pipelineScheduleDetailJson = implementView(pipelineScheduleDetailView).from<
  ShownSchedule,
  { seesVariables: boolean }
>({
  ...pipelineScheduleJson.members,
  last_pipeline: nested(listedPipelineJson, ({ lastPipeline }: ShownSchedule) => lastPipeline),
  variables: when(
    ({ seesVariables }: { seesVariables: boolean }) => seesVariables,
    nestedList(scheduleVariableJson, ({ openVariables }: ShownSchedule) => openVariables ?? []),
  ),
});
