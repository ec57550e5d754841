import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { TargetKind } from '../targets/target.ts';
import { subscriptionRoutes } from './subscription.routes.ts';

export const subscriptionSlice = (kinds: readonly TargetKind[]) =>
  defineSlice<ServicePorts>({
    routes: kinds.flatMap((kind) => {
      const { subscriptions } = kind;
      return subscriptions ? [(ports: ServicePorts) => subscriptionRoutes(ports, kind, subscriptions)] : [];
    }),
  });
