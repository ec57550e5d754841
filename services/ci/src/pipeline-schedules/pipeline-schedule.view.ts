import {
  pipelineScheduleDetailView,
  pipelineScheduleVariableView,
  pipelineScheduleView,
} from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { when } from '@forgelog/service-kit/view-optional.ts';
import { nestedList } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
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

export interface ScheduleWithVariables extends PipelineScheduleRow {
  /** Null for callers who may not see them. */
  openVariables: readonly ScheduleVariable[] | null;
}

export const pipelineScheduleDetailJson = implementView(pipelineScheduleDetailView).from<
  ScheduleWithVariables,
  { seesVariables: boolean }
>({
  ...pipelineScheduleJson.members,
  last_pipeline: null,
  variables: when(
    ({ seesVariables }: { seesVariables: boolean }) => seesVariables,
    nestedList(scheduleVariableJson, ({ openVariables }: ScheduleWithVariables) => openVariables ?? []),
  ),
});
