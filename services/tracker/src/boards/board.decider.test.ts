import type { BoardEvent } from '@forgelog/contracts/tracker/boards/board.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type BoardCommand, boardDecider, MOST_LISTS } from './board.decider.ts';

const ids = { boardId: 3, projectId: 7, groupId: null };
type Lists = Extract<BoardEvent, { type: 'BoardCreated' }>['data']['lists'];
const created = (lists: Lists = []): BoardEvent => ({
  type: 'BoardCreated',
  data: { ...ids, name: 'Work', hideBacklogList: false, hideClosedList: false, lists },
});
const create: BoardCommand = { type: 'CreateBoard', ...ids, name: 'Work' };
const [a, b, c] = [1, 2, 3].map((at) => ({ listId: at, kind: 'label', ofId: 10 + at })) as [
  Lists[0],
  Lists[0],
  Lists[0],
];
const changed = (lists: Lists, previous: Lists): BoardEvent => ({
  type: 'BoardUpdated',
  data: { ...ids, changes: { lists }, previous: { lists: previous } },
});

test('a board is created once, with a name, and deleted once', () => {
  given(boardDecider).when(create).thenEvents(created());
  given(boardDecider, created()).when(create).thenRejected('conflict');
  const blank = { message: { name: ["can't be blank"] } };
  given(boardDecider)
    .when({ ...create, name: ' ' })
    .thenRejected('validation_failed', blank);
  const update = (name: string): BoardCommand => ({ type: 'UpdateBoard', scope: {}, changes: { name } });
  given(boardDecider, created()).when(update('')).thenRejected('validation_failed', blank);
  given(boardDecider, created()).when(update('Work')).thenEvents();
  const deleted: BoardEvent = { type: 'BoardDeleted', data: ids };
  given(boardDecider, created()).when({ type: 'DeleteBoard' }).thenEvents(deleted);
  for (const command of [{ type: 'DeleteBoard' } as const, update('New')])
    given(boardDecider, created(), deleted).when(command).thenRejected('record_not_found');
  given(boardDecider, created(), deleted).when(create).thenRejected('conflict');
});

test('lists of different labels are added behind, moved among the others and taken away', () => {
  given(boardDecider, created([a]))
    .when({ type: 'AddList', ...b })
    .thenEvents(changed([a, b], [a]));
  given(boardDecider, created([a]))
    .when({ type: 'AddList', listId: 9, kind: 'label', ofId: a.ofId })
    .thenRejected('validation_failed', { message: { label: ['has already been taken'] } });
  const ofUser = { listId: 9, kind: 'assignee', ofId: a.ofId } as const;
  given(boardDecider, created([a]))
    .when({ type: 'AddList', ...ofUser })
    .thenEvents(changed([a, ofUser], [a]));
  const move = (listId: number, position: number): BoardCommand => ({ type: 'MoveList', listId, position });
  given(boardDecider, created([a, b, c]))
    .when(move(3, 0))
    .thenEvents(changed([c, a, b], [a, b, c]));
  given(boardDecider, created([a, b, c]))
    .when(move(1, 99))
    .thenEvents(changed([b, c, a], [a, b, c]));
  given(boardDecider, created([a, b]))
    .when(move(1, 0))
    .thenEvents();
  given(boardDecider, created([a, b]))
    .when({ type: 'RemoveList', listId: 1 })
    .thenEvents(changed([b], [a, b]));
  for (const command of [move(9, 0), { type: 'RemoveList', listId: 9 } as const])
    given(boardDecider, created([a]))
      .when(command)
      .thenRejected('record_not_found');
});

test('a board has an end', () => {
  const full = Array.from({ length: MOST_LISTS }, (_, at) => ({
    listId: at,
    kind: 'label' as const,
    ofId: at,
  }));
  given(boardDecider, created(full))
    .when({ type: 'AddList', listId: 999, kind: 'label', ofId: 999 })
    .thenRejected('bad_request');
});

test('the scope of a board is told apart from its name, and what did not change is not told', () => {
  const scope = { milestoneId: 4, scopeLabelIds: [1, 2], weight: 0 };
  const previous = { milestoneId: null, scopeLabelIds: [], weight: null };
  const scoped: BoardEvent = {
    type: 'BoardScoped',
    data: { ...ids, changes: scope, previous },
  };
  given(boardDecider, created()).when({ type: 'UpdateBoard', changes: {}, scope }).thenEvents(scoped);
  given(boardDecider, created(), scoped).when({ type: 'UpdateBoard', changes: {}, scope }).thenEvents();
});
