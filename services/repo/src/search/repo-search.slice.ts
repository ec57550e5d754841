import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { repoSearchOperations } from './repo-search.operations.ts';

export const repoSearchSlice = defineSlice<RepoPorts>({
  operations: [repoSearchOperations],
  workers: [({ codeIndex }) => codeIndex],
});
