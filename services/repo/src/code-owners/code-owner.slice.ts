import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { codeOwnerOperations } from './code-owner.operations.ts';

/** Owners of paths, as a file of the repository names them. */
export const codeOwnerSlice = defineSlice<RepoPorts>({ operations: [codeOwnerOperations] });
