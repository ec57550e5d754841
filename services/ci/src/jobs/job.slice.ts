import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { jobsProjection } from './jobs.projection.ts';

export const jobSlice = defineSlice<ServicePorts>({ projections: [jobsProjection] });
