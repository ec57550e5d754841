import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { tagRoutes } from './tag.routes.ts';

export const tagSlice = defineSlice<RepoPorts>({ routes: [tagRoutes] });
