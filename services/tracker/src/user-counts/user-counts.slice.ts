import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { TargetKind } from '../targets/target.ts';
import { userCountsRoutes } from './user-counts.routes.ts';

export const userCountsSlice = (kinds: readonly TargetKind[]) =>
  defineSlice<ServicePorts>({ routes: [(ports) => userCountsRoutes(ports, kinds)] });
