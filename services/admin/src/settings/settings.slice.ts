import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { settingsRoutes } from './settings.routes.ts';

export const settingsSlice = defineSlice<ServicePorts>({ routes: [settingsRoutes] });
