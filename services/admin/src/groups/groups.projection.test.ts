import type { GroupEvent } from '@forgelog/contracts/admin/groups/group.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { groupCreated, groupMemberAdded, groupUpdated } from '../testing/group-events.ts';
import { groups, groupsProjection } from './groups.projection.ts';

const after = (...events: readonly GroupEvent[]) => givenEvents(groupsProjection, ...events);
const top = groupCreated(5, { name: 'Ácme' });
const child = groupCreated(6, { parentId: 5, path: 'Sub' });
const grandchild = groupCreated(7, { parentId: 6 });
const deleted = (groupId: number): GroupEvent => ({
  type: 'GroupDeleted',
  data: { groupId, parentId: null, path: 'x', fullPath: 'x' },
});

test('a group is found by name and path whatever the case, with its default settings', async () => {
  await after(top).thenDocuments(groups, [
    {
      ...{ id: 5, parentId: null, ancestors: [5], name: 'Ácme', nameFolded: 'ácme', pathLower: 'group5' },
      ...{ subgroupCreationLevel: 'maintainer', sharedRunnersSetting: 'enabled', settings: {} },
      ...{ orphaned: false, memberIds: [1], createdAt: '2030-01-01T00:00:01.000Z' },
    },
  ]);
  await after(groupCreated(5, { creatorId: null })).thenDocuments(groups, [{ memberIds: [] }]);
});

test('a subgroup knows all groups above it, from the top', async () => {
  await after(top, child, grandchild).thenDocuments(groups, [
    { ancestors: [5] },
    { ancestors: [5, 6], parentId: 5, pathLower: 'sub' },
    { ancestors: [5, 6, 7] },
  ]);
});

test('a change keeps all that it does not name, settings too', async () => {
  await after(
    groupCreated(5, { settings: { lfs_enabled: false } }),
    groupUpdated(5, { name: 'Ülm', settings: { subgroup_creation_level: 'owner' } }),
    groupUpdated(5, { settings: { shared_runners_setting: 'disabled_with_override' } }),
  ).thenDocuments(groups, [
    {
      ...{ name: 'Ülm', nameFolded: 'ülm', path: 'group5', visibility: 'private', memberIds: [1] },
      ...{ subgroupCreationLevel: 'owner', sharedRunnersSetting: 'disabled_with_override' },
      settings: {
        ...{ lfs_enabled: false, subgroup_creation_level: 'owner' },
        shared_runners_setting: 'disabled_with_override',
      },
    },
  ]);
});

test('members are listed once each, until they are removed', async () => {
  const removed: GroupEvent = {
    type: 'GroupMemberRemoved',
    data: { groupId: 5, userId: 1, reason: 'left' },
  };
  const changed: GroupEvent = {
    type: 'GroupMemberChanged',
    data: {
      ...{ groupId: 5, userId: 2, accessLevel: 30, previousAccessLevel: 50, expiresAt: null },
      ...{ changes: { accessLevel: 30 }, previous: { accessLevel: 50 } },
    },
  };
  const joined = groupMemberAdded(5, 2, 50);
  await after(top, joined, joined, changed).thenDocuments(groups, [{ memberIds: [1, 2] }]);
  await after(top, joined, removed).thenDocuments(groups, [{ memberIds: [2] }]);
});

test('what lies below a deleted group is hidden until it is deleted too', async () => {
  const other = groupCreated(9);
  await after(top, child, grandchild, other, deleted(5)).thenDocuments(groups, [
    { id: 6, orphaned: true },
    { id: 7, orphaned: true },
    { id: 9, orphaned: false },
  ]);
  await after(top, child, grandchild, other, deleted(5), deleted(7), deleted(6)).thenDocuments(groups, [
    { id: 9 },
  ]);
});

test('a subgroup that comes after the end of its parent is hidden', async () => {
  await after(top, deleted(5), child, grandchild).thenDocuments(groups, [
    { id: 6, ancestors: [5, 6], orphaned: true },
    { id: 7, ancestors: [5, 6, 7], orphaned: true },
  ]);
});

test('a change of a group that is gone does not bring it back', async () => {
  await after(top, deleted(5), groupUpdated(5, { name: 'x' }), groupMemberAdded(5, 2, 30)).thenDocuments(
    groups,
    [],
  );
});

const moved = (
  groupId: number,
  changes: Extract<GroupEvent, { type: 'GroupTransferred' }>['data']['changes'],
): GroupEvent => ({ type: 'GroupTransferred', data: { groupId, fullPath: 'x', changes, previous: null } });

test('a moved group has other groups above it, and so have those below it', async () => {
  const other = groupCreated(9);
  await after(top, child, grandchild, other, moved(6, { parentId: 9 })).thenDocuments(groups, [
    ...[{ id: 5 }, { id: 6, parentId: 9, ancestors: [9, 6] }],
    ...[{ id: 7, parentId: 6, ancestors: [9, 6, 7], orphaned: false }, { id: 9 }],
  ]);
  await after(top, child, grandchild, moved(6, { parentId: null })).thenDocuments(groups, [
    ...[{ id: 5 }, { id: 6, parentId: null, ancestors: [6] }, { id: 7, ancestors: [6, 7] }],
  ]);
});

test('what is below a moved group is no more open than it', async () => {
  const open = groupCreated(7, { parentId: 6, visibility: 'public' });
  const lowered = moved(6, { parentId: 9, visibility: 'internal' });
  await after(top, child, open, groupCreated(9), lowered).thenDocuments(groups, [
    ...[{ id: 5 }, { id: 6, visibility: 'private' }, { id: 7, visibility: 'internal' }, { id: 9 }],
  ]);
});

test('a group that moves out of or into a deleted one is hidden, with what is below it', async () => {
  const other = groupCreated(9);
  const hidden = [
    { id: 6, orphaned: true },
    { id: 7, orphaned: true },
  ];
  await after(top, child, grandchild, other, deleted(5), moved(6, { parentId: 9 })).thenDocuments(groups, [
    ...hidden,
    { id: 9, orphaned: false },
  ]);
  await after(top, child, grandchild, other, deleted(9), moved(6, { parentId: 9 })).thenDocuments(groups, [
    { id: 5, orphaned: false },
    ...hidden,
  ]);
});
