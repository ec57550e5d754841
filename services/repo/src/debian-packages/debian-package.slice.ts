import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { debianPackageRoutes } from './debian-package.routes.ts';

export const debianPackageSlice = defineSlice<RepoPorts>({ routes: [debianPackageRoutes] });
