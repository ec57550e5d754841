import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { submoduleRoutes } from './submodule.routes.ts';

export const submoduleSlice = defineSlice<RepoPorts>({ routes: [submoduleRoutes] });
