import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './label.events.examples.json' with { type: 'json' };

/** All labels of one place are one stream, because titles are unique in it. */
const subject = ['labels-project-<projectId>', 'labels-group-<groupId>'];

const label = {
  labelId: z.int().describe('Id of the label.'),
  projectId: z.int().nullable().describe('Id of the project whose label it is; null for one of a group.'),
  groupId: z.int().nullable().describe('Id of the group whose label it is; null for one of a project.'),
};
const attributes = {
  title: personal(z.string().describe('The title, unique in the project or group.')),
  color: z.string().describe('The colour, as `#` and six hexadecimal digits in lower case.'),
  description: personal(z.string().nullable().describe('What the label is for; null if not given.')),
  priority: z
    .int()
    .nullable()
    .describe('Place among the labels of the project that have one, the most urgent first; null for none.'),
  confidential: z
    .boolean()
    .describe(
      'Whether only those who may read confidential issues are told of it, as nothing else was given it yet.',
    ),
};

const common = {
  version: 1,
  subject,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
} as const;

export const LabelCreated = defineEvent({
  ...common,
  type: 'LabelCreated',
  description: 'A project or a group got a label for its issues and merge requests.',
  example: examples.LabelCreated,
  schema: z.object({ ...label, ...attributes }),
});

export const LabelUpdated = defineEvent({
  ...common,
  type: 'LabelUpdated',
  description: 'Title, colour or another attribute of a label changed, wherever it is given.',
  example: examples.LabelUpdated,
  schema: z.object({ ...label, ...changed(attributes) }),
});

export const LabelDeleted = defineEvent({
  ...common,
  type: 'LabelDeleted',
  description: 'A label was deleted, and taken from all that had it.',
  example: examples.LabelDeleted,
  schema: z.object({
    ...label,
    replacedById: z
      .int()
      .nullable()
      .describe('Id of the label of a group that took its place wherever it was given; null for none.'),
  }),
});

const userId = z.int().describe('Id of the user.');

export const LabelSubscribed = defineEvent({
  ...common,
  type: 'LabelSubscribed',
  description: 'A user chose to be told of what gets a label.',
  audit: 'own',
  activity: 'own',
  example: examples.LabelSubscribed,
  schema: z.object({ ...label, userId }),
});

export const LabelUnsubscribed = defineEvent({
  ...common,
  type: 'LabelUnsubscribed',
  description: 'A user chose to be told no more of what gets a label.',
  audit: 'own',
  activity: 'own',
  example: examples.LabelUnsubscribed,
  schema: z.object({ ...label, userId }),
});

export const labelEvents = [
  LabelCreated,
  LabelUpdated,
  LabelDeleted,
  LabelSubscribed,
  LabelUnsubscribed,
] as const;
export type LabelEvent = EventOf<(typeof labelEvents)[number]>;
