import { type FeatureEvent, featureEvents } from '@forgelog/contracts/admin/features/feature.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';

/** Feature flags with gates. Every process keeps them, because any may ask. */
export const directoryFeatures = defineCollection({
  name: 'directory_features',
  key: 'name',
  fields: {
    name: 'text',
    enabled: 'boolean',
    percentageOfTime: 'integer',
    percentageOfActors: 'integer',
    groups: 'text[]',
    actors: 'text[]',
  },
  indexes: [],
});

export type FeatureGates = DocumentOf<typeof directoryFeatures>;

export const directoryFeaturesProjection = defineProjection<FeatureEvent>({
  name: 'directory-features',
  collections: [directoryFeatures],
  handles: featureEvents.map(({ type }) => type),
  async project(event, documents) {
    const { name } = event.data;
    switch (event.type) {
      case 'FeatureCreated':
        return documents.put(directoryFeatures, event.data);
      case 'FeatureUpdated': {
        const gates = await documents.get(directoryFeatures, name);
        if (gates) documents.put(directoryFeatures, { ...gates, ...event.data.changes });
        return;
      }
      case 'FeatureDeleted':
        return documents.delete(directoryFeatures, name);
      default:
        event satisfies never;
    }
  },
});
