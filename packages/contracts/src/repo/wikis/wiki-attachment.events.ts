import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { groupId, projectId } from '../../shared/event.fields.ts';
import examples from './wiki-attachment.events.examples.json' with { type: 'json' };

const attachment = {
  attachmentId: z.string().describe('Id of the attachment: 32 hexadecimal digits, which its address has.'),
  filename: personal(z.string().describe('Name of the file, as its address has it.')),
  size: z.int().describe('Bytes of the file.'),
  sha256: z.string().describe('SHA-256 of the file, in hexadecimal.'),
};

const common = {
  version: 1,
  subject: 'wiki-attachment-<attachmentId>',
  service: 'repo',
  audit: 'content',
  activity: 'unnamed',
} as const;

export const WikiAttachmentCreated = defineEvent({
  ...common,
  type: 'WikiAttachmentCreated',
  description: 'A file was stored for pages of the wiki of a project.',
  example: examples.WikiAttachmentCreated,
  schema: z.object({ projectId, ...attachment }),
});

export const GroupWikiAttachmentCreated = defineEvent({
  ...common,
  type: 'GroupWikiAttachmentCreated',
  description: 'A file was stored for pages of the wiki of a group.',
  example: examples.GroupWikiAttachmentCreated,
  schema: z.object({ groupId, ...attachment }),
});

export const wikiAttachmentEvents = [WikiAttachmentCreated, GroupWikiAttachmentCreated] as const;
export type WikiAttachmentEvent = EventOf<(typeof wikiAttachmentEvents)[number]>;
