import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './milestone.events.examples.json' with { type: 'json' };

/** All milestones of one place are one stream, because numbers and titles are unique in it. */
const subject = ['milestones-project-<projectId>', 'milestones-group-<groupId>'];

const ids = {
  milestoneId: z.int().describe('Id of the milestone.'),
  projectId: z.int().nullable().describe('Id of the project whose milestone it is; null for one of a group.'),
  groupId: z.int().nullable().describe('Id of the group whose milestone it is; null for one of a project.'),
};
const day = (which: string) =>
  z.string().nullable().describe(`${which} day, as \`YYYY-MM-DD\`; null for none.`);
const attributes = {
  title: personal(z.string().describe('The title, unique in the project or group.')),
  description: personal(z.string().nullable().describe('What is to be reached; null if not given.')),
  startDate: day('First'),
  dueDate: day('Last'),
  state: z.enum(['active', 'closed']).describe('Whether it is still to be reached; at first it is.'),
};

const common = { version: 1, subject, service: 'tracker', audit: 'content', activity: 'unnamed' } as const;

export const MilestoneCreated = defineEvent({
  ...common,
  type: 'MilestoneCreated',
  description: 'A project or a group got a milestone for its issues and merge requests.',
  example: examples.MilestoneCreated,
  schema: z.object({
    ...ids,
    iid: z.int().describe('Number of the milestone in its project or group, from 1.'),
    ...attributes,
  }),
});

export const MilestoneUpdated = defineEvent({
  ...common,
  type: 'MilestoneUpdated',
  description: 'Attributes of a milestone changed, wherever it is given.',
  example: examples.MilestoneUpdated,
  schema: z.object({ ...ids, ...changed(attributes) }),
});

export const MilestoneDeleted = defineEvent({
  ...common,
  type: 'MilestoneDeleted',
  version: 2,
  description: 'A milestone was deleted. What had it has none, or the one that took its place.',
  example: examples.MilestoneDeleted,
  schema: z.object({
    ...ids,
    replacedById: z
      .int()
      .nullable()
      .describe('Id of the milestone of the group that it was promoted to; null if it was deleted.'),
  }),
  upcast: { 1: (data) => ({ ...data, replacedById: null }) },
});

export const milestoneEvents = [MilestoneCreated, MilestoneUpdated, MilestoneDeleted] as const;
export type MilestoneEvent = EventOf<(typeof milestoneEvents)[number]>;
