import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { archiveRoutes } from './archive.routes.ts';
import { historyRoutes } from './history.routes.ts';
import { repositorySourceOperations } from './repository-source.operations.ts';
import { treeRoutes } from './tree.routes.ts';

export const repositoryContentSlice = defineSlice<RepoPorts>({
  routes: [treeRoutes, archiveRoutes, historyRoutes],
  operations: [repositorySourceOperations],
});
