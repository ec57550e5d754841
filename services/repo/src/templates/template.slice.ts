import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { templateRoutes } from './template.routes.ts';

export const templateSlice = defineSlice<RepoPorts>({ routes: [templateRoutes] });
