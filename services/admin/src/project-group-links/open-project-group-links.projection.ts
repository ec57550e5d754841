import {
  type ProjectGroupLinkEvent,
  projectGroupLinkEvents,
} from '@forgelog/contracts/admin/project-group-links/project-group-link.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { defineCollection } from '@forgelog/eventing/read-store.ts';

/** Shares without an event that ends them yet, though their project or group may be deleted or their day may have come. */
export const openProjectGroupLinks = defineCollection({
  name: 'open_project_group_links',
  key: 'key',
  fields: { key: 'text', projectId: 'integer', groupId: 'integer', expiresAt: 'text?' },
  indexes: [['projectId'], ['groupId'], ['expiresAt']],
});

export const openProjectGroupLinksProjection = defineProjection<ProjectGroupLinkEvent>({
  name: 'open-project-group-links',
  collections: [openProjectGroupLinks],
  handles: projectGroupLinkEvents.map(({ type }) => type),
  async project(event, documents) {
    const { projectId, groupId } = event.data;
    const key = `${projectId}-${groupId}`;
    if (event.type === 'ProjectGroupLinkDeleted') return documents.delete(openProjectGroupLinks, key);
    documents.put(openProjectGroupLinks, { key, projectId, groupId, expiresAt: event.data.expiresAt });
  },
});
