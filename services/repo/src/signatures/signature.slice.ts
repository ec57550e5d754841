import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { signatureRoutes } from './signature.routes.ts';

export const signatureSlice = defineSlice<RepoPorts>({ routes: [signatureRoutes] });
