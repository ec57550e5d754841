import { defineSlice, type Slice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { dependencyRoutes } from './dependency.routes.ts';
import { createDependencyLists } from './dependency-lists.ts';

export function dependencySlice(): Slice<RepoPorts> {
  const lists = createDependencyLists();
  return defineSlice<RepoPorts>({
    routes: [dependencyRoutes(lists)],
    workers: [() => ({ start: async () => {}, stop: lists.stop })],
  });
}
