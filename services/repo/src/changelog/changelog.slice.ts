import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { changelogRoutes } from './changelog.routes.ts';

export const changelogSlice = defineSlice<RepoPorts>({ routes: [changelogRoutes] });
