import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { botPolicies } from './bot-ends.policy.ts';
import { resourceAccessTokenRoutes } from './resource-access-token.routes.ts';
import { tokensWithoutBot } from './tokens-without-bot.worker.ts';

export const resourceAccessTokenSlice = defineSlice<ServicePorts>({
  routes: [resourceAccessTokenRoutes],
  policies: [botPolicies],
  workers: [tokensWithoutBot],
});
