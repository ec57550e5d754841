import {
  type CustomAttributeEvent,
  customAttributeEvents,
} from '@forgelog/contracts/admin/custom-attributes/custom-attribute.events.ts';
import { customAttributeLifetime } from '@forgelog/contracts/admin/custom-attributes/custom-attribute.lifetime.ts';
import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const customAttributes = defineCollection({
  name: 'custom_attributes',
  key: 'id',
  fields: {
    id: 'integer',
    userId: 'integer?',
    groupId: 'integer?',
    projectId: 'integer?',
    key: 'text',
    value: 'text',
  },
  indexes: [['userId', 'key'], ['groupId', 'key'], ['projectId', 'key'], ['key']],
  holds: { lifetime: customAttributeLifetime },
  ownedBy: [
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
  ],
});

export type CustomAttributeRow = DocumentOf<typeof customAttributes>;

export const customAttributesProjection = defineProjection<CustomAttributeEvent>({
  name: 'custom-attributes',
  collections: [customAttributes],
  handles: customAttributeEvents.map(({ type }) => type),
  async project(event, documents) {
    const { customAttributeId: id } = event.data;
    switch (event.type) {
      case 'CustomAttributeCreated': {
        const { customAttributeId: _, ...attribute } = event.data;
        return documents.put(customAttributes, { id, ...attribute });
      }
      case 'CustomAttributeUpdated': {
        const row = await documents.get(customAttributes, id);
        if (row) documents.put(customAttributes, { ...row, ...event.data.changes });
        return;
      }
      case 'CustomAttributeDeleted':
        return documents.delete(customAttributes, id);
      default:
        event satisfies never;
    }
  },
});
