import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { fileReadRoutes } from './file-read.routes.ts';
import { fileWriteRoutes } from './file-write.routes.ts';

export const fileSlice = defineSlice<RepoPorts>({ routes: [fileReadRoutes, fileWriteRoutes] });
