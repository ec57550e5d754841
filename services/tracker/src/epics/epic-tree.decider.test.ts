import type { EventOf } from '@forgelog/contracts/event.ts';
import type { EpicNested } from '@forgelog/contracts/tracker/epics/epic.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type EpicTreeCommand, epicTreeDecider } from './epic-tree.decider.ts';

const epic = (iid: number, groupId = 7) => ({ epicId: 10 * groupId + iid, groupId, iid });
const nest = (
  iid: number,
  into: number | null,
  { group = 7, ...more }: Partial<EpicTreeCommand> & { group?: number } = {},
): EpicTreeCommand => ({
  ...{ type: 'NestEpic', ...epic(iid), parent: into === null ? null : epic(into, group) },
  ...{ position: null, from: null, ended: [], ...more },
});
const nested = (
  iid: number,
  into: number,
  changes: object,
  previous: object,
  group = 7,
): EventOf<typeof EpicNested> => ({
  type: 'EpicNested',
  data: { ...epic(iid), parentGroupId: group, parentIid: into, changes, previous },
});
const put = (iid: number, into: number, group = 7) =>
  nested(iid, into, { parentId: 10 * group + into }, { parentId: null }, group);
const CIRCLE = 'This epic cannot be added. It is already an ancestor of the parent epic.';

test('an epic is a part of one other, at a place, and is taken out of that one', () => {
  given(epicTreeDecider).when(nest(1, 2)).thenEvents(put(1, 2));
  given(epicTreeDecider, put(1, 2)).when(nest(1, 2)).thenEvents();
  given(epicTreeDecider).when(nest(1, null)).thenEvents();
  given(epicTreeDecider, put(1, 2))
    .when(nest(1, 2, { position: 'k', from: 72 }))
    .thenEvents(nested(1, 2, { parentPosition: 'k' }, { parentPosition: null }));
  given(epicTreeDecider, put(1, 2))
    .when(nest(1, null, { from: 72 }))
    .thenEvents(nested(1, 2, { parentId: null }, { parentId: 72 }));
  given(epicTreeDecider, put(1, 2))
    .when(nest(1, null, { from: 73 }))
    .thenRejected('record_not_found');
});

test('no circle closes, by epics that are there', () => {
  const itself = 'This epic cannot be added. An epic cannot be added to itself.';
  given(epicTreeDecider).when(nest(1, 1)).thenRejected('refused', { message: itself });
  const chain = [put(1, 2), put(2, 3)];
  given(epicTreeDecider, ...chain)
    .when(nest(3, 1))
    .thenRejected('refused', { message: CIRCLE });
  given(epicTreeDecider, ...chain)
    .when(nest(3, 1, { ended: [2] }))
    .thenEvents(put(3, 1));
  const out = nested(2, 3, { parentId: null }, { parentId: 73 });
  given(epicTreeDecider, ...chain, out)
    .when(nest(3, 1))
    .thenEvents(put(3, 1));
  // Of a group above: it has the same number, and is another one.
  given(epicTreeDecider, put(1, 2), put(2, 3, 6))
    .when(nest(3, 1))
    .thenEvents(put(3, 1));
});
