import { removeUnnamedAvatars } from '@forgelog/service-kit/avatar-ends.ts';
import { createObjectSweeper } from '@forgelog/service-kit/object-sweeper.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { topicPolicies } from './topic.policy.ts';
import { topicRoutes } from './topic.routes.ts';
import { topics, topicsProjection } from './topics.projection.ts';

export const topicSlice = defineSlice<RepoPorts>({
  routes: [topicRoutes],
  projections: [topicsProjection],
  policies: [topicPolicies],
  workers: [
    (ports) =>
      createObjectSweeper(ports, 'avatars that are no topic’s', (signal) =>
        removeUnnamedAvatars(
          ports,
          'topic',
          async (id) => (await ports.readStore.get(topics, id))?.avatarUrl,
          signal,
        ),
      ),
  ],
});
