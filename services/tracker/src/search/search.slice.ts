import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { searchRoutes } from './search.routes.ts';

export const searchSlice = defineSlice<ServicePorts>({ routes: [searchRoutes] });
