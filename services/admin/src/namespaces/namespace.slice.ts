import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { namespaceRoutes } from './namespace.routes.ts';

export const namespaceSlice = defineSlice<ServicePorts>({ routes: [namespaceRoutes] });
