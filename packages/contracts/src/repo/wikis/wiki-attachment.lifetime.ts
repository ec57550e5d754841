import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import { GroupWikiAttachmentCreated, WikiAttachmentCreated } from './wiki-attachment.events.ts';

export const wikiAttachmentLifetime = defineLifetime({
  kind: 'WikiAttachment',
  id: ['attachmentId'],
  begins: [
    begins(WikiAttachmentCreated, { fixed: { groupId: null } }),
    begins(GroupWikiAttachmentCreated, { fixed: { projectId: null } }),
  ],
  ends: [endsWith(ProjectDeleted, ['projectId']), endsWith(GroupDeleted, ['groupId'])],
});
