import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { mergeReadOperations } from './merge-reads.operations.ts';
import { mergeRequestRefsPolicy } from './merge-request-refs.policy.ts';
import { mergeWriteOperations } from './merge-writes.operations.ts';

/** What git does for merge requests, whose records the tracker has. */
export const mergeSlice = defineSlice<RepoPorts>({
  projections: [({ mergeRequestRefs }) => mergeRequestRefs.projection],
  policies: [(ports) => [mergeRequestRefsPolicy(ports)]],
  operations: [mergeReadOperations, mergeWriteOperations],
});
