import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { dueScheduleSweeper } from './due-schedules.worker.ts';
import { pipelineSchedulePolicies } from './pipeline-schedule.policy.ts';
import { pipelineScheduleRoutes } from './pipeline-schedule.routes.ts';
import { pipelineSchedulesProjection } from './pipeline-schedules.projection.ts';
import { scheduleVariableRoutes } from './schedule-variable.routes.ts';
import { scheduledPipelinePolicies } from './scheduled-pipelines.policy.ts';

export const pipelineScheduleSlice = defineSlice<CiPorts>({
  routes: [pipelineScheduleRoutes, scheduleVariableRoutes],
  projections: [pipelineSchedulesProjection],
  policies: [pipelineSchedulePolicies, scheduledPipelinePolicies],
  workers: [dueScheduleSweeper],
});
