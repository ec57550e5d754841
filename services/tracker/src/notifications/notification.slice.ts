import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { confirmationMailPolicies } from './confirmation-mails.policy.ts';
import { notificationMailPolicies } from './notification-mails.policy.ts';
import { notificationSettingRoutes } from './notification-setting.routes.ts';
import { notificationSettingsProjection } from './notification-settings.projection.ts';
import { pipelineResultsProjection } from './pipeline-results.projection.ts';
import { unsubscriptionRoutes } from './unsubscription.routes.ts';

export const notificationSlice = defineSlice<ServicePorts>({
  routes: [notificationSettingRoutes, unsubscriptionRoutes],
  projections: [notificationSettingsProjection, pipelineResultsProjection],
  policies: [notificationMailPolicies, confirmationMailPolicies],
});
