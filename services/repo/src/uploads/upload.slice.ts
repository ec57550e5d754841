import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { unnamedUploadSweeper } from './unnamed-uploads.worker.ts';
import { uploadPolicies } from './upload.policy.ts';
import { uploadRoutes } from './upload.routes.ts';
import { uploadsProjection } from './uploads.projection.ts';

export const uploadSlice = defineSlice<RepoPorts>({
  routes: [uploadRoutes],
  projections: [uploadsProjection],
  policies: [uploadPolicies],
  workers: [unnamedUploadSweeper],
});
