import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { jobLogRoutes } from './job-log.routes.ts';

export const jobLogSlice = defineSlice<ServicePorts>({ routes: [jobLogRoutes] });
