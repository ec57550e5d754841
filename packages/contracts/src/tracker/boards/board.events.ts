import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './board.events.examples.json' with { type: 'json' };

const ids = {
  boardId: z.int().describe('Id of the board, unique on the instance.'),
  projectId: z.int().nullable().describe('Id of the project whose board it is; null for one of a group.'),
  groupId: z.int().nullable().describe('Id of the group whose board it is; null for one of a project.'),
};
const attributes = {
  name: personal(z.string().describe('The name.')),
  hideBacklogList: z.boolean().describe('Whether clients leave out the list of open issues without a list.'),
  hideClosedList: z.boolean().describe('Whether clients leave out the list of closed issues.'),
  lists: z
    .array(
      z.object({
        listId: z.int().describe('Id of the list, unique on the instance.'),
        labelId: z.int().describe('Id of the label of the issues in it.'),
      }),
    )
    .describe('Its lists from left to right, without those of the backlog and of closed issues.'),
};

const common = {
  version: 1,
  subject: 'board-<boardId>',
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
} as const;

export const BoardCreated = defineEvent({
  ...common,
  type: 'BoardCreated',
  description: 'A project or a group got a board that shows its issues in lists.',
  example: examples.BoardCreated,
  schema: z.object({ ...ids, ...attributes }),
});

export const BoardUpdated = defineEvent({
  ...common,
  type: 'BoardUpdated',
  description: 'The name of a board or its lists changed.',
  example: examples.BoardUpdated,
  schema: z.object({ ...ids, ...changed(attributes) }),
});

export const BoardDeleted = defineEvent({
  ...common,
  type: 'BoardDeleted',
  description: 'A board was deleted, and none of its issues.',
  example: examples.BoardDeleted,
  schema: z.object(ids),
});

export const BoardScoped = defineEvent({
  ...common,
  type: 'BoardScoped',
  description: 'What the issues on a board have in common was set.',
  example: examples.BoardScoped,
  schema: z.object({
    ...ids,
    ...changed({
      milestoneId: z.int().nullable().describe('Id of the milestone of its issues; null for any and none.'),
      assigneeId: z
        .int()
        .nullable()
        .describe('Id of the user whom its issues are assigned to; null for anybody and nobody.'),
      scopeLabelIds: z.array(z.int()).describe('Ids of the labels that all of its issues have.'),
      weight: z.int().nullable().describe('Weight of its issues; null for any and none.'),
    }),
  }),
});

export const boardEvents = [BoardCreated, BoardUpdated, BoardScoped, BoardDeleted] as const;
export type BoardEvent = EventOf<(typeof boardEvents)[number]>;
