import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { type LabelEvent, labelEvents } from '@forgelog/contracts/tracker/labels/label.events.ts';
import { labelLifetime } from '@forgelog/contracts/tracker/labels/label.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const labels = defineCollection({
  name: 'labels',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    title: 'text',
    color: 'text',
    description: 'text?',
    priority: 'integer?',
    subscriberIds: 'integer[]',
  },
  indexes: [['projectId', 'title'], ['groupId', 'title'], ['title']],
  search: ['title', 'description'],
  holds: { lifetime: labelLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type LabelRow = DocumentOf<typeof labels>;

export const labelsProjection = defineProjection<LabelEvent>({
  name: 'labels',
  collections: [labels],
  handles: labelEvents.map(({ type }) => type),
  async project(event, documents) {
    const { labelId: id } = event.data;
    if (event.type === 'LabelCreated') {
      const { labelId: _, ...label } = event.data;
      return documents.put(labels, { id, ...label, subscriberIds: [] });
    }
    const row = await documents.get(labels, id);
    if (!row) return;
    switch (event.type) {
      case 'LabelUpdated':
        return documents.put(labels, { ...row, ...event.data.changes });
      case 'LabelDeleted':
        return documents.delete(labels, id);
      case 'LabelSubscribed':
        return documents.put(labels, { ...row, subscriberIds: [...row.subscriberIds, event.data.userId] });
      case 'LabelUnsubscribed': {
        const subscriberIds = row.subscriberIds.filter((userId) => userId !== event.data.userId);
        return documents.put(labels, { ...row, subscriberIds });
      }
      default:
        event satisfies never;
    }
  },
});
