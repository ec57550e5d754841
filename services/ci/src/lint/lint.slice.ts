import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { lintRoutes } from './lint.routes.ts';

export const lintSlice = defineSlice<CiPorts>({ routes: [lintRoutes] });
