import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { branchRoutes } from './branch.routes.ts';

export const branchSlice = defineSlice<RepoPorts>({ routes: [branchRoutes] });
