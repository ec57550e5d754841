import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './iteration.events.examples.json' with { type: 'json' };

const common = {
  version: 1,
  /** All iterations of a group are one stream, because numbers and days are unique in it. */
  subject: 'iterations-<groupId>',
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
} as const;

const cadence = {
  cadenceId: z.int().describe('Id of the cadence.'),
  groupId: z.int().describe('Id of the group that it is in.'),
};
const iteration = { iterationId: z.int().describe('Id of the iteration.'), ...cadence };

const ofCadences = {
  title: personal(z.string().describe('The title, unique in the group.')),
  description: personal(z.string().nullable().describe('What it is for; null if not given.')),
  startDate: z
    .string()
    .nullable()
    .describe('First day of its first iteration, as `YYYY-MM-DD`; null if not given.'),
  durationInWeeks: z.int().nullable().describe('Weeks that an iteration takes; null if not given.'),
  iterationsInAdvance: z
    .int()
    .nullable()
    .describe('Upcoming iterations that are there at any time; null if not given.'),
  automatic: z.boolean().describe('Whether it makes its iterations by itself, as the days come.'),
  active: z.boolean().describe('Whether it goes on; otherwise nothing comes of it by itself.'),
  rollOver: z.boolean().describe('Whether open issues of an iteration that ends go on in the next one.'),
};

const ofIterations = {
  title: personal(z.string().nullable().describe('The title; null for none.')),
  description: personal(z.string().nullable().describe('What is to be reached; null if not given.')),
  startDate: z.string().describe('First day, as `YYYY-MM-DD`.'),
  dueDate: z.string().describe('Last day, as `YYYY-MM-DD`.'),
  hasEnded: z
    .boolean()
    .describe(
      'Whether it is over, and its open issues went on where its cadence says so; at first it is not.',
    ),
};

export const IterationCadenceCreated = defineEvent({
  ...common,
  type: 'IterationCadenceCreated',
  description: 'A group got a cadence, by which its iterations follow one another.',
  example: examples.IterationCadenceCreated,
  schema: z.object({ ...cadence, ...ofCadences }),
});

export const IterationCadenceUpdated = defineEvent({
  ...common,
  type: 'IterationCadenceUpdated',
  description: 'Attributes of a cadence changed. Its iterations keep their days.',
  example: examples.IterationCadenceUpdated,
  schema: z.object({ ...cadence, ...changed(ofCadences) }),
});

export const IterationCadenceDeleted = defineEvent({
  ...common,
  type: 'IterationCadenceDeleted',
  description: 'A cadence was deleted, with its iterations. Issues that were in them are in none.',
  example: examples.IterationCadenceDeleted,
  schema: z.object(cadence),
});

export const IterationCreated = defineEvent({
  ...common,
  type: 'IterationCreated',
  description: 'A cadence got an iteration, by itself or by somebody.',
  example: examples.IterationCreated,
  schema: z.object({
    ...iteration,
    iid: z.int().describe('Number of the iteration in its group, from 1.'),
    ...ofIterations,
  }),
});

export const IterationUpdated = defineEvent({
  ...common,
  type: 'IterationUpdated',
  description: 'Attributes of an iteration changed, or it ended.',
  example: examples.IterationUpdated,
  schema: z.object({ ...iteration, ...changed(ofIterations) }),
});

export const IterationDeleted = defineEvent({
  ...common,
  type: 'IterationDeleted',
  description: 'An iteration was deleted. Issues that were in it are in none.',
  example: examples.IterationDeleted,
  schema: z.object(iteration),
});

export const iterationEvents = [
  IterationCadenceCreated,
  IterationCadenceUpdated,
  IterationCadenceDeleted,
  IterationCreated,
  IterationUpdated,
  IterationDeleted,
] as const;
export type IterationEvent = EventOf<(typeof iterationEvents)[number]>;
