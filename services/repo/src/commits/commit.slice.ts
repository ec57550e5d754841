import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { commitOperations } from './commit.operations.ts';
import { commitRoutes } from './commit.routes.ts';

export const commitSlice = defineSlice<RepoPorts>({ routes: [commitRoutes], operations: [commitOperations] });
