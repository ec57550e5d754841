import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { dueScheduleSweeper } from './due-schedules.worker.ts';
import { pipelineSchedulePolicies } from './pipeline-schedule.policy.ts';
import { pipelineScheduleRoutes } from './pipeline-schedule.routes.ts';
import { pipelineSchedulesProjection } from './pipeline-schedules.projection.ts';
import { scheduleVariableRoutes } from './schedule-variable.routes.ts';

export const pipelineScheduleSlice = defineSlice<ServicePorts>({
  routes: [pipelineScheduleRoutes, scheduleVariableRoutes],
  projections: [pipelineSchedulesProjection],
  policies: [pipelineSchedulePolicies],
  workers: [dueScheduleSweeper],
});
