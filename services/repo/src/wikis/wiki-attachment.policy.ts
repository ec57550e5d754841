import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { deleteBelow } from '@forgelog/object-store/delete-below.ts';
import type { RepoPorts } from '../ports.ts';
import { wikiAttachmentsOf } from './wiki-attachment-key.ts';

/** Files of a wiki go with its project or group. Safe to repeat. */
export function wikiAttachmentPolicies({ objects }: Pick<RepoPorts, 'objects'>): Policy[] {
  return [
    definePolicy({
      name: 'wiki-attachments-of-deleted-places',
      handles: [ProjectDeleted, GroupDeleted],
      actsAs: 'system',
      async react({ data }, { signal }) {
        const place =
          'projectId' in data
            ? { projectId: data.projectId, groupId: null }
            : { projectId: null, groupId: data.groupId };
        await deleteBelow(objects, wikiAttachmentsOf(place), signal);
      },
    }),
  ];
}
