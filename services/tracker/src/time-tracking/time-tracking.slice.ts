import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { timeTrackingRoutes } from './time-tracking.routes.ts';

export const timeTracking = defineSlice<ServicePorts>({ routes: [timeTrackingRoutes] });
