import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type ProtectedTagEvent,
  protectedTagEvents,
} from '@forgelog/contracts/repo/protected-tags/protected-tag.events.ts';
import { protectedTagLifetime } from '@forgelog/contracts/repo/protected-tags/protected-tag.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const protectedTags = defineCollection({
  name: 'protected_tags',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', name: 'text', createAccessLevel: 'integer' },
  indexes: [['projectId', 'name']],
  holds: { lifetime: protectedTagLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type ProtectedTagRow = DocumentOf<typeof protectedTags>;

export const protectedTagsProjection = defineProjection<ProtectedTagEvent>({
  name: 'protected-tags',
  collections: [protectedTags],
  handles: protectedTagEvents.map(({ type }) => type),
  async project(event, documents) {
    switch (event.type) {
      case 'ProtectedTagCreated': {
        const { protectedTagId: id, ...tag } = event.data;
        return documents.put(protectedTags, { id, ...tag });
      }
      case 'ProtectedTagDeleted':
        return documents.delete(protectedTags, event.data.protectedTagId);
      default:
        event satisfies never;
    }
  },
});
