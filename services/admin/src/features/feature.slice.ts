import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { featureRoutes } from './feature.routes.ts';

export const featureSlice = defineSlice<ServicePorts>({ routes: [featureRoutes] });
