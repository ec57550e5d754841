import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { statisticsRoutes } from './statistics.routes.ts';

export const statisticsSlice = defineSlice<ServicePorts>({ routes: [statisticsRoutes] });
