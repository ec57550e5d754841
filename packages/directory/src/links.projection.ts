import {
  type GroupGroupLinkEvent,
  groupGroupLinkEvents,
} from '@forgelog/contracts/admin/group-group-links/group-group-link.events.ts';
import {
  type ProjectGroupLinkEvent,
  projectGroupLinkEvents,
} from '@forgelog/contracts/admin/project-group-links/project-group-link.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { directoryGroupLinks, directoryProjectLinks } from './collections.ts';

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

export const directoryGroupLinksProjection = defineProjection<GroupGroupLinkEvent>({
  name: 'directory-group-links',
  collections: [directoryGroupLinks],
  handles: groupGroupLinkEvents.map(({ type }) => type),
  async project(event, documents) {
    const { groupId, sharedWithGroupId } = event.data;
    const key = `${groupId}-${sharedWithGroupId}`;
    if (event.type === 'GroupGroupLinkDeleted') return documents.delete(directoryGroupLinks, key);
    const { accessLevel, expiresAt } = event.data;
    documents.put(directoryGroupLinks, { key, groupId, sharedWithGroupId, accessLevel, expiresAt });
  },
});
