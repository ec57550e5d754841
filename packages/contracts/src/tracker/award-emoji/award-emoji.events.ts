import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { projectId, userId } from '../../shared/event.fields.ts';
import { targetTypes } from '../targets/target.ts';
import examples from './award-emoji.events.examples.json' with { type: 'json' };

const award = {
  awardId: z.int().describe('Id of the award.'),
  projectId,
  targetType: z.enum(targetTypes).describe('Kind of what it is on, or of what its note is on.'),
  targetId: z.int().describe('Id of what it is on, unique on the instance.'),
  targetIid: z.int().describe('Number of what it is on, unique in the project.'),
  noteId: z.int().nullable().describe('Id of the note that it is on; null where it is on the target itself.'),
  userId,
  emoji: z.string().describe('Name of the emoji, without colons: `thumbsup`.'),
};

export const EmojiAwarded = defineEvent({
  type: 'EmojiAwarded',
  version: 1,
  description: 'A user reacted to an issue, a merge request or a note with an emoji.',
  subject: 'award-<targetType>-<targetId>-<userId>',
  example: examples.EmojiAwarded,
  service: 'tracker',
  audit: 'own',
  activity: 'unnamed',
  schema: z.object(award),
});

export const EmojiWithdrawn = defineEvent({
  type: 'EmojiWithdrawn',
  version: 1,
  description: 'A reaction was taken back.',
  subject: 'award-<targetType>-<targetId>-<userId>',
  example: examples.EmojiWithdrawn,
  service: 'tracker',
  audit: 'own',
  activity: 'unnamed',
  schema: z.object(award),
});

export const awardEmojiEvents = [EmojiAwarded, EmojiWithdrawn] as const;
export type AwardEmojiEvent = EventOf<(typeof awardEmojiEvents)[number]>;
