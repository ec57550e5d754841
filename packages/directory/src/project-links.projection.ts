import {
  type ProjectGroupLinkEvent,
  projectGroupLinkEvents,
} from '@forgelog/contracts/admin/project-group-links/project-group-link.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { directoryProjectLinks } from './collections.ts';

export const directoryProjectLinksProjection = defineProjection<ProjectGroupLinkEvent>({
  name: 'directory-project-links',
  collections: [directoryProjectLinks],
  handles: projectGroupLinkEvents.map(({ type }) => type),
  async project(event, documents) {
    const { projectId, groupId } = event.data;
    const key = `${projectId}-${groupId}`;
    if (event.type === 'ProjectGroupLinkDeleted') return documents.delete(directoryProjectLinks, key);
    const { accessLevel, expiresAt } = event.data;
    documents.put(directoryProjectLinks, { key, projectId, groupId, accessLevel, expiresAt });
  },
});
