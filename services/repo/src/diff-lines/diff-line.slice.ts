import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { diffLineOperations } from './diff-line.operations.ts';
import { suggestedLineOperations } from './suggested-line.operations.ts';

export const diffLineSlice = defineSlice<RepoPorts>({
  operations: [diffLineOperations, suggestedLineOperations],
});
