import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type WikiAttachmentEvent,
  wikiAttachmentEvents,
} from '@forgelog/contracts/repo/wikis/wiki-attachment.events.ts';
import { wikiAttachmentLifetime } from '@forgelog/contracts/repo/wikis/wiki-attachment.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const wikiAttachments = defineCollection({
  name: 'wiki_attachments',
  key: 'id',
  fields: {
    id: 'text',
    projectId: 'integer?',
    groupId: 'integer?',
    filename: 'text',
    size: 'integer',
    sha256: 'text',
  },
  indexes: [['projectId'], ['groupId']],
  holds: { lifetime: wikiAttachmentLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export const wikiAttachmentsProjection = defineProjection<WikiAttachmentEvent>({
  name: 'wiki-attachments',
  collections: [wikiAttachments],
  handles: wikiAttachmentEvents.map(({ type }) => type),
  async project({ data }, documents) {
    const { attachmentId: id, filename, size, sha256 } = data;
    const projectId = 'projectId' in data ? data.projectId : null;
    const groupId = 'groupId' in data ? data.groupId : null;
    documents.put(wikiAttachments, { id, projectId, groupId, filename, size, sha256 });
  },
});
