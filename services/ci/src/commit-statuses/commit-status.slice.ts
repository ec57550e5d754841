import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { commitStatusRoutes } from './commit-status.routes.ts';

export const commitStatusSlice = defineSlice<CiPorts>({ routes: [commitStatusRoutes] });
