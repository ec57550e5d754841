import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { tagRoutes } from './tag.routes.ts';

export const tags = defineSlice<RepoPorts>({ routes: [tagRoutes] });
