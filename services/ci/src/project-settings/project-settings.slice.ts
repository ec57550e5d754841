import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { groupsWithoutSharedRunnersProjection } from './groups-without-shared-runners.projection.ts';
import { ciProjectSettingsProjection } from './project-settings.projection.ts';

export const projectSettingsSlice = defineSlice<ServicePorts>({
  projections: [ciProjectSettingsProjection, groupsWithoutSharedRunnersProjection],
});
