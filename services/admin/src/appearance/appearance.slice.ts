import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { appearanceRoutes } from './appearance.routes.ts';

export const appearanceSlice = defineSlice<ServicePorts>({ routes: [appearanceRoutes] });
