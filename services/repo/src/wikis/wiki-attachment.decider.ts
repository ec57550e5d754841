import { Rejection } from '@forgelog/contracts/errors.ts';
import type { WikiAttachmentEvent } from '@forgelog/contracts/repo/wikis/wiki-attachment.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import type { WikiPlace } from './wiki.decider.ts';

interface StoredFile {
  attachmentId: string;
  filename: string;
  size: number;
  sha256: string;
}

type WikiAttachmentCommand = WikiPlace & StoredFile & { type: 'CreateWikiAttachment' };

export const wikiAttachmentStream = (attachmentId: string) => `wiki-attachment-${attachmentId}`;

/** Whether the attachment exists. */
export const wikiAttachmentDecider: Decider<boolean, WikiAttachmentCommand, WikiAttachmentEvent> = {
  initialState: false,
  decide({ type: _, projectId, groupId, ...file }, exists) {
    if (exists) throw new Rejection('conflict', {});
    return [
      projectId === null
        ? { type: 'GroupWikiAttachmentCreated', data: { groupId, ...file } }
        : { type: 'WikiAttachmentCreated', data: { projectId, ...file } },
    ];
  },
  evolve: () => true,
};
