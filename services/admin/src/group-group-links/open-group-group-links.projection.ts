import {
  type GroupGroupLinkEvent,
  groupGroupLinkEvents,
} from '@forgelog/contracts/admin/group-group-links/group-group-link.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { defineCollection } from '@forgelog/eventing/read-store.ts';

/** Shares without an event that ends them yet, though one of their groups may be deleted or their day may have come. */
export const openGroupGroupLinks = defineCollection({
  name: 'open_group_group_links',
  key: 'key',
  fields: { key: 'text', groupId: 'integer', sharedWithGroupId: 'integer', expiresAt: 'text?' },
  indexes: [['groupId'], ['sharedWithGroupId'], ['expiresAt']],
});

export const openGroupGroupLinksProjection = defineProjection<GroupGroupLinkEvent>({
  name: 'open-group-group-links',
  collections: [openGroupGroupLinks],
  handles: groupGroupLinkEvents.map(({ type }) => type),
  async project(event, documents) {
    const { groupId, sharedWithGroupId } = event.data;
    const key = `${groupId}-${sharedWithGroupId}`;
    if (event.type === 'GroupGroupLinkDeleted') return documents.delete(openGroupGroupLinks, key);
    const { expiresAt } = event.data;
    documents.put(openGroupGroupLinks, { key, groupId, sharedWithGroupId, expiresAt });
  },
});
