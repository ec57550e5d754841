import {
  type CustomAttributeEvent,
  customAttributeEvents,
} from '@forgelog/contracts/admin/custom-attributes/custom-attribute.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** Custom attributes of projects, which lists of projects are filtered by. */
export const projectAttributes = defineCollection({
  name: 'project_custom_attributes',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', key: 'text', value: 'text' },
  indexes: [['projectId', 'key'], ['key']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export const projectAttributesProjection = defineProjection<CustomAttributeEvent>({
  name: 'project-custom-attributes',
  collections: [projectAttributes],
  handles: customAttributeEvents.map(({ type }) => type),
  async project(event, documents) {
    const { customAttributeId: id, projectId } = event.data;
    if (projectId === null) return;
    switch (event.type) {
      case 'CustomAttributeCreated': {
        const { key, value } = event.data;
        return documents.put(projectAttributes, { id, projectId, key, value });
      }
      case 'CustomAttributeUpdated': {
        const row = await documents.get(projectAttributes, id);
        if (row) documents.put(projectAttributes, { ...row, ...event.data.changes });
        return;
      }
      case 'CustomAttributeDeleted':
        return documents.delete(projectAttributes, id);
      default:
        event satisfies never;
    }
  },
});
