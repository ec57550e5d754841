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
/** What a list shows the issues of. */
export const listKinds = ['label', 'assignee', 'milestone', 'iteration'] as const;

const attributes = {
  name: personal(z.string().describe('The name.')),
  hideBacklogList: z.boolean().describe('Whether clients leave out the list of open issues without a list.'),
  hideClosedList: z.boolean().describe('Whether clients leave out the list of closed issues.'),
  lists: z
    .array(
      z.object({
        listId: z.int().describe('Id of the list, unique on the instance.'),
        kind: z.enum(listKinds).describe('What the issues in it have in common.'),
        ofId: z
          .int()
          .describe(
            'Id of that label, of the user whom they are assigned to, or of the milestone or the iteration.',
          ),
      }),
    )
    .describe('Its lists from left to right, without those of the backlog and of closed issues.'),
};

interface Lists<List> {
  lists?: readonly List[];
}

/** At first each list was one of a label. */
const byLabel = ({ lists }: Lists<{ listId: number; labelId: number }>) =>
  lists ? { lists: lists.map(({ listId, labelId }) => ({ listId, kind: 'label', ofId: labelId })) } : {};

/** Consumers of before know lists of labels alone. */
const ofLabels = ({ lists }: Lists<{ listId: number; kind: string; ofId: number }>) =>
  lists
    ? {
        lists: lists
          .filter(({ kind }) => kind === 'label')
          .map(({ listId, ofId }) => ({ listId, labelId: ofId })),
      }
    : {};

// biome-ignore lint/suspicious/noExplicitAny: data of another version.
function inChanges({ changes, previous, ...data }: any, lists: (given: any) => object) {
  const known = (values: object | null) => values && { ...values, ...lists(values) };
  return { ...data, changes: known(changes), previous: known(previous) };
}

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
  version: 2,
  schema: z.object({ ...ids, ...attributes }),
  upcast: { 1: (data) => ({ ...data, ...byLabel(data) }) },
  downcast: { 2: (data) => ({ ...data, ...ofLabels(data) }) },
});

export const BoardUpdated = defineEvent({
  ...common,
  type: 'BoardUpdated',
  description: 'The name of a board or its lists changed.',
  example: examples.BoardUpdated,
  version: 2,
  schema: z.object({ ...ids, ...changed(attributes) }),
  upcast: { 1: (data) => inChanges(data, byLabel) },
  downcast: { 2: (data) => inChanges(data, ofLabels) },
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
