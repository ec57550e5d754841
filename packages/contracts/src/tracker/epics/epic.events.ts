import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changed } from '../../shared/changes.ts';
import examples from './epic.events.examples.json' with { type: 'json' };

/** Each stream is appended as new, so that a race for a number becomes a conflict (ADR 5). */
const epic = {
  epicId: z.int().describe('Id of the epic, unique on the instance.'),
  groupId: z.int().describe('Id of the group that it is in.'),
  iid: z.int().describe('Number of the epic, unique in the group.'),
};

const day = (which: string) =>
  z.string().nullable().describe(`${which} day that was set, as \`YYYY-MM-DD\`; null for none.`);
const content = {
  title: personal(z.string().describe('The title.')),
  description: personal(z.string().nullable().describe('The text, in Markdown; null if not given.')),
  confidential: z.boolean().describe('Whether only members from Reporter on see it.'),
  labels: personal(
    z
      .array(z.string())
      .describe('Titles of its labels at that time, each once, in the order of their assignment.'),
  ),
  labelIds: z.array(z.int()).describe('Ids of its labels, in the same order.'),
  startDate: day('First'),
  startDateIsFixed: z.boolean().describe('Whether `startDate` is its first day; otherwise it has none.'),
  dueDate: day('Last'),
  dueDateIsFixed: z.boolean().describe('Whether `dueDate` is its last day; otherwise it has none.'),
};

export const EPIC_CLOSED = { changes: { state: 'closed' }, previous: { state: 'opened' } } as const;
export const EPIC_REOPENED = { changes: { state: 'opened' }, previous: { state: 'closed' } } as const;

const common = {
  version: 1,
  subject: 'epic-<groupId>-<iid>',
  service: 'tracker',
  audit: 'content',
  // The feed is one of projects, and an epic is in none.
  activity: 'unnamed',
} as const;
const time = (of: string) =>
  z
    .string()
    .nullable()
    .describe(`When it ${of}, if an administrator or owner set it; null: the time of the event counts.`);

export const EpicOpened = defineEvent({
  ...common,
  type: 'EpicOpened',
  description: 'An epic was opened in a group.',
  example: examples.EpicOpened,
  schema: z.object({
    ...epic,
    authorId: z.int().describe('Id of the author.'),
    ...content,
    createdAt: time('was opened'),
  }),
});

export const EpicUpdated = defineEvent({
  ...common,
  type: 'EpicUpdated',
  description: 'Attributes of an epic changed.',
  example: examples.EpicUpdated,
  schema: z.object({ ...epic, ...changed(content), updatedAt: time('changed') }),
});

export const EpicClosed = defineEvent({
  ...common,
  type: 'EpicClosed',
  description: 'An epic was closed.',
  example: examples.EpicClosed,
  schema: z.object({ ...epic, ...alwaysChanged(EPIC_CLOSED) }),
});

export const EpicReopened = defineEvent({
  ...common,
  type: 'EpicReopened',
  description: 'A closed epic was opened again.',
  example: examples.EpicReopened,
  schema: z.object({ ...epic, ...alwaysChanged(EPIC_REOPENED) }),
});

export const EpicDeleted = defineEvent({
  ...common,
  type: 'EpicDeleted',
  description: 'An epic was deleted, with its discussions.',
  example: examples.EpicDeleted,
  audit: privileged('Group', 'Epic'),
  activity: 'removal',
  schema: z.object(epic),
});

/** A stream holds the children of one group: a circle can only close within it (ADR 125). */
export const EpicNested = defineEvent({
  ...common,
  subject: 'epicTree-<groupId>',
  type: 'EpicNested',
  description: 'An epic was put into another one, taken out of one, or given another place in it.',
  example: examples.EpicNested,
  schema: z.object({
    ...epic,
    parentGroupId: z.int().describe('Id of the group of the epic that it was put into or taken out of.'),
    parentIid: z.int().describe('Number of that epic in its group.'),
    ...changed({
      parentId: z.int().nullable().describe('Id of the epic that it is a part of; null for none.'),
      parentPosition: z
        .string()
        .nullable()
        .describe(
          'A text by which the parts of an epic are in the order that people gave them; null for the place of its id.',
        ),
    }),
  }),
});

export const epicEvents = [
  EpicOpened,
  EpicUpdated,
  EpicClosed,
  EpicReopened,
  EpicNested,
  EpicDeleted,
] as const;
export type EpicEvent = EventOf<(typeof epicEvents)[number]>;
