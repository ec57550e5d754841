import {
  type FeatureFlagsClientEvent,
  FeatureFlagsClientReset,
} from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** How often the instance ids of projects were reset; a project that is not here has its first. */
export const featureFlagsClients = defineCollection({
  name: 'feature_flags_clients',
  key: 'projectId',
  fields: { projectId: 'integer', resets: 'integer' },
  indexes: [],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export const featureFlagsClientsProjection = defineProjection<FeatureFlagsClientEvent>({
  name: 'feature-flags-clients',
  collections: [featureFlagsClients],
  handles: [FeatureFlagsClientReset.type],
  async project({ data }, documents) {
    documents.put(featureFlagsClients, data);
  },
});
