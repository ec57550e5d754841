import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { type BadgeEvent, badgeEvents } from '@forgelog/contracts/repo/badges/badge.events.ts';
import { badgeLifetime } from '@forgelog/contracts/repo/badges/badge.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const badges = defineCollection({
  name: 'badges',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    name: 'text?',
    linkUrl: 'text',
    imageUrl: 'text',
  },
  indexes: [
    ['projectId', 'id'],
    ['groupId', 'id'],
  ],
  holds: { lifetime: badgeLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type BadgeRow = DocumentOf<typeof badges>;

export const badgesProjection = defineProjection<BadgeEvent>({
  name: 'badges',
  collections: [badges],
  handles: badgeEvents.map(({ type }) => type),
  async project(event, documents) {
    const { badgeId: id } = event.data;
    switch (event.type) {
      case 'BadgeCreated': {
        const { badgeId: _, ...badge } = event.data;
        return documents.put(badges, { id, ...badge });
      }
      case 'BadgeUpdated': {
        const row = await documents.get(badges, id);
        if (row) documents.put(badges, { ...row, ...event.data.changes });
        return;
      }
      case 'BadgeDeleted':
        return documents.delete(badges, id);
      default:
        event satisfies never;
    }
  },
});
