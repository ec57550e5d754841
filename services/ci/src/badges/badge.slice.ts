import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { badgeRoutes } from './badge.routes.ts';

export const badgeSlice = defineSlice<CiPorts>({ routes: [badgeRoutes] });
