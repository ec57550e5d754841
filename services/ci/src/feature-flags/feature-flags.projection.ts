import {
  type FeatureFlagEvent,
  featureFlagEvents,
} from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import {
  featureFlagLifetime,
  featureFlagUserListLifetime,
} from '@forgelog/contracts/ci/feature-flags/feature-flag.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const featureFlags = defineCollection({
  name: 'feature_flags',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    name: 'text',
    description: 'text?',
    active: 'boolean',
    /** `FlagStrategy`s. */
    strategies: 'json',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [
    ['projectId', 'name'],
    ['projectId', 'active', 'name'],
  ],
  holds: { lifetime: featureFlagLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type FeatureFlagRow = DocumentOf<typeof featureFlags>;

export const featureFlagUserLists = defineCollection({
  name: 'feature_flag_user_lists',
  key: 'id',
  fields: {
    id: 'integer',
    iid: 'integer',
    projectId: 'integer',
    name: 'text',
    userXids: 'text',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [['projectId', 'iid']],
  search: ['name'],
  holds: { lifetime: featureFlagUserListLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type FeatureFlagUserListRow = DocumentOf<typeof featureFlagUserLists>;

export const featureFlagsProjection = defineProjection<FeatureFlagEvent>({
  name: 'feature-flags',
  collections: [featureFlags, featureFlagUserLists],
  handles: featureFlagEvents.map(({ type }) => type),
  async project(event, documents) {
    const updatedAt = event.time;
    switch (event.type) {
      case 'FeatureFlagCreated': {
        const { featureFlagId: id, ...flag } = event.data;
        return documents.put(featureFlags, { id, ...flag, createdAt: event.time, updatedAt });
      }
      case 'FeatureFlagUpdated': {
        const row = await documents.get(featureFlags, event.data.featureFlagId);
        if (row) documents.put(featureFlags, { ...row, ...event.data.changes, updatedAt });
        return;
      }
      case 'FeatureFlagDeleted':
        return documents.delete(featureFlags, event.data.featureFlagId);
      case 'FeatureFlagUserListCreated': {
        const { featureFlagUserListId: id, ...list } = event.data;
        return documents.put(featureFlagUserLists, { id, ...list, createdAt: event.time, updatedAt });
      }
      case 'FeatureFlagUserListUpdated': {
        const row = await documents.get(featureFlagUserLists, event.data.featureFlagUserListId);
        if (row) documents.put(featureFlagUserLists, { ...row, ...event.data.changes, updatedAt });
        return;
      }
      case 'FeatureFlagUserListDeleted':
        return documents.delete(featureFlagUserLists, event.data.featureFlagUserListId);
      default:
        event satisfies never;
    }
  },
});
