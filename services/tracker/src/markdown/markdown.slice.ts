import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { markdownRoutes } from './markdown.routes.ts';

export const markdownSlice = defineSlice<ServicePorts>({ routes: [markdownRoutes] });
