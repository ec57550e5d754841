import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './broadcast-message.events.examples.json' with { type: 'json' };

const broadcastMessageId = z.int().describe('Id of the message.');
const color = (of: string) => z.string().describe(`Colour of the ${of}, as \`#\` and hexadecimal digits.`);
const attributes = {
  message: personal(z.string().describe('What it says.')),
  startsAt: z.string().describe('When it begins to be shown.'),
  endsAt: z.string().describe('When it is no longer shown.'),
  color: color('background'),
  font: color('text'),
  targetPath: personal(
    z.string().nullable().describe('On pages at this path alone, `*` for any text; null for all pages.'),
  ),
  broadcastType: z.enum(['banner', 'notification']).describe('How it is shown.'),
  dismissable: z.boolean().describe('Whether people can put it away.'),
};

const common = {
  version: 1,
  subject: 'broadcastMessage-<broadcastMessageId>',
  service: 'admin',
  audit: 'content',
  activity: 'administration',
} as const;

export const BroadcastMessageCreated = defineEvent({
  ...common,
  type: 'BroadcastMessageCreated',
  description: 'An administrator wrote a message to all people.',
  example: examples.BroadcastMessageCreated,
  schema: z.object({ broadcastMessageId, ...attributes }),
});

export const BroadcastMessageUpdated = defineEvent({
  ...common,
  type: 'BroadcastMessageUpdated',
  description: 'A message to all people changed.',
  example: examples.BroadcastMessageUpdated,
  schema: z.object({ broadcastMessageId, ...changed(attributes) }),
});

export const BroadcastMessageDeleted = defineEvent({
  ...common,
  type: 'BroadcastMessageDeleted',
  description: 'A message to all people was deleted.',
  example: examples.BroadcastMessageDeleted,
  schema: z.object({ broadcastMessageId }),
});

export const broadcastMessageEvents = [
  BroadcastMessageCreated,
  BroadcastMessageUpdated,
  BroadcastMessageDeleted,
] as const;
export type BroadcastMessageEvent = EventOf<(typeof broadcastMessageEvents)[number]>;
