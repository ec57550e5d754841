import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { userSearchOperations } from './user-search.operations.ts';

export const userSearchSlice = defineSlice<ServicePorts>({ operations: [userSearchOperations] });
