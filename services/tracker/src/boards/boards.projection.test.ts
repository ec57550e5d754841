import type { BoardEvent } from '@forgelog/contracts/tracker/boards/board.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { boards, boardsProjection } from './boards.projection.ts';

const created = (boardId: number, projectId: number | null, groupId: number | null): BoardEvent => ({
  type: 'BoardCreated',
  data: {
    ...{ boardId, projectId, groupId, name: 'Work' },
    ...{ hideBacklogList: false, hideClosedList: false, lists: [] },
  },
});
const [one, ofGroup] = [created(3, 7, null), created(4, null, 50)];
const updated: BoardEvent = {
  type: 'BoardUpdated',
  data: {
    ...{ boardId: 3, projectId: 7, groupId: null, previous: null },
    changes: { name: 'Plan', lists: [{ listId: 1, kind: 'label', ofId: 11 }] },
  },
};

test('a board has its lists in order, and ends by itself or with its place', async () => {
  await givenEvents(boardsProjection, one, ofGroup, updated).thenDocuments(boards, [
    { id: 3, projectId: 7, groupId: null, name: 'Plan', listIds: [1], listKinds: ['label'], listOfIds: [11] },
    { id: 4, projectId: null, groupId: 50, name: 'Work', listIds: [] },
  ]);
  const deleted: BoardEvent = { type: 'BoardDeleted', data: { boardId: 3, projectId: 7, groupId: null } };
  for (const end of [deleted, projectDeleted(7).event])
    await givenEvents(boardsProjection, one, ofGroup, end).thenDocuments(boards, [{ id: 4 }]);
  const gone = { type: 'GroupDeleted', data: { groupId: 50 } };
  await givenEvents(boardsProjection, one, ofGroup, gone).thenDocuments(boards, [{ id: 3 }]);
});
