import { GroupCreated, type GroupStreamEvent } from '@forgelog/contracts/admin/groups/group.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { groupDecider as decider, type GroupCommand } from './group.decider.ts';

const group = {
  type: 'CreateGroup',
  groupId: 7,
  parent: null,
  creatorId: 1,
  name: 'Team',
  path: 'team',
  description: '',
  visibility: 'internal',
  settings: {},
} as const satisfies GroupCommand;
const today = '2026-01-10';

const TOP = { parentId: null, fullPath: 'team' };
/** What a group begins with: itself, and its creator as owner where it has one. */
function made(place: { parentId: number | null; fullPath: string } = TOP, more: object = {}) {
  const { name, path, description, visibility, settings, creatorId } = { ...group, ...more };
  const data = { groupId: 7, name, path, description, visibility, settings, creatorId, ...place };
  const created: GroupStreamEvent = { type: 'GroupCreated', data: { ...data, ownerId: null } };
  return creatorId === null ? [created] : [created, added(1, 50, null, 'created')];
}
const added = (
  userId: number,
  accessLevel: number,
  expiresAt: string | null = null,
  reason: 'added' | 'created' = 'added',
): GroupStreamEvent => ({
  type: 'GroupMemberAdded',
  data: { groupId: 7, userId, accessLevel, expiresAt, reason },
});
type Membership = { accessLevel?: number; expiresAt?: string | null };
const changed = (
  userId: number,
  now: { accessLevel: number; expiresAt: string | null },
  changes: Membership,
  previous: Membership,
): GroupStreamEvent => ({
  type: 'GroupMemberChanged',
  data: {
    ...{ groupId: 7, userId, ...now, previousAccessLevel: previous.accessLevel ?? now.accessLevel },
    ...{ changes, previous },
  },
});
const removed = (
  userId: number,
  reason: 'removed' | 'left' | 'expired' | 'deleted' = 'removed',
): GroupStreamEvent => ({ type: 'GroupMemberRemoved', data: { groupId: 7, userId, reason } });
const deleted: GroupStreamEvent = {
  type: 'GroupDeleted',
  data: { groupId: 7, parentId: null, path: 'team', fullPath: 'team' },
};

const add = (userId: number, accessLevel: number, expiresAt: string | null = null): GroupCommand => ({
  type: 'AddGroupMember',
  groupId: 7,
  userId,
  accessLevel,
  expiresAt,
  today,
});
const remove = (
  userId: number,
  reason: 'removed' | 'left' = 'removed',
  inheritedOwners = false,
): GroupCommand => ({ type: 'RemoveGroupMember', groupId: 7, userId, reason, inheritedOwners, today });
const change = (userId: number, accessLevel: number, expiresAt: string | null = null): GroupCommand => ({
  type: 'ChangeGroupMember',
  groupId: 7,
  userId,
  accessLevel,
  expiresAt,
  inheritedOwners: false,
  today,
});
const end = (userIds: number[], reason: 'expired' | 'deleted'): GroupCommand => ({
  type: 'EndGroupMembers',
  groupId: 7,
  userIds,
  reason,
  today,
});
const update = (changes: object): GroupCommand => ({
  type: 'UpdateGroup',
  groupId: 7,
  changes,
  parentVisibility: null,
  below: { group: null, project: null },
});

test('a new group has its creator as owner, and its full path', () => {
  const parent = { id: 3, fullPath: 'top/mid', visibility: 'internal', depth: 2 } as const;
  given(decider)
    .when({ ...group, parent })
    .thenEvents(...made({ parentId: 3, fullPath: 'top/mid/team' }));
  given(decider, ...made())
    .when(remove(1))
    .thenRejected('forbidden');
  given(decider)
    .when({ ...group, creatorId: null })
    .thenEvents(...made(TOP, { creatorId: null }));
});

test('the creator of a group from before their own event is its owner', () => {
  const [created] = made();
  const { ownerId: _, ...data } = (created as { data: object & { ownerId: null } }).data;
  const upcast = { type: 'GroupCreated', data: GroupCreated.upcast[1]!(data) } as GroupStreamEvent;
  given(decider, upcast).when(remove(1)).thenRejected('forbidden');
  given(decider, upcast, added(2, 50)).when(remove(1)).thenEvents(removed(1));
});

test.each([
  [{ path: '' }, '{:path=>["can\'t be blank"]}'],
  [{ path: 'api' }, '{:path=>["api is a reserved name"]}'],
  [{ name: '' }, '{:name=>["can\'t be blank"]}'],
  [
    { path: 'a/b' },
    "{:path=>[\"can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.\"]}",
  ],
])('a group with %j is rejected in the format of Ruby', (wrong, text) => {
  given(decider)
    .when({ ...group, ...wrong })
    .thenRejected('group_not_saved', { message: `Failed to save group ${text}` });
});

test.each(['-a', 'a.', 'a.git', 'a.atom', 'a b', 'ä', 'x'.repeat(256)])('the path %s is rejected', (path) => {
  given(decider)
    .when({ ...group, path })
    .thenRejected('group_not_saved');
});

test.each(['a', 'A-1', '_x.y', '123', '.hidden'])('the path %s is accepted', (path) => {
  given(decider)
    .when({ ...group, path })
    .thenEvents(...made({ ...TOP, fullPath: path }, { path }));
});

test('a path reserved at the top level is free below, and vice versa', () => {
  const parent = { id: 3, fullPath: 'top', visibility: 'public', depth: 1 } as const;
  given(decider)
    .when({ ...group, path: 'api', parent })
    .thenEvents(...made({ parentId: 3, fullPath: 'top/api' }, { path: 'api' }));
  given(decider)
    .when({ ...group, path: 'tree', parent })
    .thenRejected('group_not_saved');
  given(decider)
    .when({ ...group, path: 'tree' })
    .thenEvents(...made({ ...TOP, fullPath: 'tree' }, { path: 'tree' }));
});

test('a subgroup is at most as open as its parent', () => {
  const parent = { id: 3, fullPath: 'top', visibility: 'private', depth: 1 } as const;
  given(decider)
    .when({ ...group, parent })
    .thenRejected('group_not_saved', {
      message:
        'Failed to save group {:visibility_level=>["internal is not allowed since the parent group has private visibility."]}',
    });
});

test('groups nest at most twenty levels deep', () => {
  const parent = { id: 3, fullPath: 'top', visibility: 'public', depth: 19 } as const;
  given(decider)
    .when({ ...group, parent })
    .thenEvents(...made({ parentId: 3, fullPath: 'top/team' }));
  given(decider)
    .when({ ...group, parent: { ...parent, depth: 20 } })
    .thenRejected('group_not_saved', {
      message: 'Failed to save group {:parent_id=>["has too deep level of nesting"]}',
    });
});

test('an update records only differences, with the old values and the defaults of settings', () => {
  given(decider, ...made())
    .when(update({ name: 'Team', description: '' }))
    .thenEvents();
  given(decider, ...made())
    .when(update({ name: 'Crew', settings: { lfs_enabled: false } }))
    .thenEvents({
      type: 'GroupUpdated',
      data: {
        groupId: 7,
        changes: { name: 'Crew', settings: { lfs_enabled: false } },
        previous: { name: 'Team', settings: { lfs_enabled: true } },
      },
    });
});

test('a group is at least as open as its contents', () => {
  const narrower = {
    ...update({ visibility: 'private' }),
    below: { group: 'internal', project: 'internal' },
  } as GroupCommand;
  given(decider, ...made())
    .when(narrower)
    .thenRejected('validation_failed', {
      message: {
        visibility_level: [
          'private is not allowed since this group contains projects with higher visibility.',
          'private is not allowed since there are sub-groups with higher visibility.',
        ],
      },
    });
});

test('a member is added once, and again after the membership expired', () => {
  given(decider, ...made(), added(2, 30))
    .when(add(2, 20))
    .thenRejected('conflict', { message: 'Member already exists' });
  given(decider, ...made(), added(2, 30, today))
    .when(add(2, 20))
    .thenEvents(removed(2, 'expired'), added(2, 20));
});

test('changing and removing require a member', () => {
  for (const command of [change(3, 30), remove(3), change(2, 20), remove(2)])
    given(decider, ...made(), added(2, 30, today))
      .when(command)
      .thenRejected('record_not_found', { message: '404 Not found' });
});

test('the last owner stays, unless a parent group provides one or the membership expires', () => {
  const members = [...made(), added(2, 50, today), added(3, 40)];
  for (const command of [remove(1), remove(1, 'left'), change(1, 40), change(1, 50, '2026-01-09')])
    given(decider, ...members)
      .when(command)
      .thenRejected('forbidden', { message: '403 Forbidden' });
  given(decider, ...members)
    .when(remove(1, 'removed', true))
    .thenEvents(removed(1));
  given(decider, ...members)
    .when(end([1], 'deleted'))
    .thenEvents(removed(1, 'deleted'));
  given(decider, ...made(), added(2, 50))
    .when(remove(1))
    .thenEvents(removed(1));
});

test('memberships end on their day, also the last owner’s, and once', () => {
  const later = { accessLevel: 30, expiresAt: '2026-01-12' };
  const moved = changed(2, later, { expiresAt: '2026-01-12' }, { expiresAt: '2026-01-11' });
  given(decider, ...made(), added(2, 30, '2026-01-11'), added(3, 30, '2026-01-11'), moved)
    .when(end([1, 2, 3, 9], 'expired'))
    .thenEvents();
  given(decider, ...made(TOP, { creatorId: null }), added(2, 50, today), added(3, 30, today))
    .when(end([2, 3], 'expired'))
    .thenEvents(removed(2, 'expired'), removed(3, 'expired'));
  given(decider, ...made(), added(2, 30, today), removed(2, 'expired'))
    .when(end([2], 'expired'))
    .thenEvents();
});

test('members of a deleted group end once each', () => {
  given(decider, ...made(), added(2, 30), deleted)
    .when(end([1, 2, 9], 'deleted'))
    .thenEvents(removed(1, 'deleted'), removed(2, 'deleted'));
  given(decider, ...made(), added(2, 30), deleted, removed(1, 'deleted'))
    .when(end([1, 2], 'deleted'))
    .thenEvents(removed(2, 'deleted'));
  given(decider)
    .when(end([1], 'deleted'))
    .thenEvents();
});

test('a change of a member tells the old level and the old end', () => {
  const now = { accessLevel: 40, expiresAt: null };
  given(decider, ...made(), added(2, 30, '2026-02-01'))
    .when(change(2, 40))
    .thenEvents(changed(2, now, now, { accessLevel: 30, expiresAt: '2026-02-01' }));
});

test('an update to the same values records nothing', () => {
  given(decider, ...made(), added(2, 30))
    .when(change(2, 30))
    .thenEvents();
});

test('a deleted group is not found by any command', () => {
  given(decider, ...made())
    .when({ type: 'DeleteGroup', groupId: 7, fullPath: 'team' })
    .thenEvents(deleted);
  for (const command of [update({ name: 'x' }), add(2, 30)])
    given(decider, ...made(), deleted)
      .when(command)
      .thenRejected('not_found', { message: '404 Group Not Found' });
});

test('a group that is marked for deletion is restored, or deleted when its time has come', () => {
  const at = '2026-11-27T12:00:00.000Z';
  const scheduled: GroupStreamEvent = {
    type: 'GroupDeletionScheduled',
    data: { groupId: 7, changes: { deletionDueAt: at }, previous: { deletionDueAt: null } },
  };
  const cancelled: GroupStreamEvent = {
    type: 'GroupDeletionCancelled',
    data: { groupId: 7, changes: { deletionDueAt: null }, previous: { deletionDueAt: at } },
  };
  const schedule = { type: 'ScheduleGroupDeletion', groupId: 7, deletionDueAt: at } as const;
  const cancel = { type: 'CancelGroupDeletion', groupId: 7 } as const;
  const due = (now: string | null) =>
    ({ type: 'DeleteMarkedGroup', groupId: 7, fullPath: 'team', now }) as const;
  const rename: GroupCommand = {
    type: 'UpdateGroup',
    ...{ groupId: 7, changes: { name: 'Other' }, parentVisibility: null },
    below: { group: null, project: null },
  };
  const marked = [...made(), scheduled];
  given(decider, ...made())
    .when(schedule)
    .thenEvents(scheduled);
  given(decider, ...marked)
    .when({ ...schedule, deletionDueAt: '2030-01-01T00:00:00.000Z' })
    .thenEvents();
  given(decider, ...marked)
    .when(rename)
    .thenRejected('forbidden');
  given(decider, ...marked)
    .when(cancel)
    .thenEvents(cancelled);
  given(decider, ...made())
    .when(cancel)
    .thenRejected('refused', { message: 'Group has not been marked for deletion' });
  given(decider, ...marked)
    .when(due('2026-11-27T11:59:59.999Z'))
    .thenEvents();
  for (const now of [at, null])
    given(decider, ...marked)
      .when(due(now))
      .thenEvents(deleted);
  given(decider, ...marked, cancelled)
    .when(due('2030-01-01T00:00:00.000Z'))
    .thenEvents();
  given(decider, ...made())
    .when(due(null))
    .thenRejected('refused', { message: 'Group must be marked for deletion first.' });
  given(decider, ...marked, deleted)
    .when(due(at))
    .thenEvents();
});

test('a moved group is as open as its new parent lets it be, and keeps its owner', () => {
  const place = { id: 3, fullPath: 'top/mid', visibility: 'private', depth: 2 } as const;
  const parent = { ...place, sharedRunnersSetting: 'enabled' } as const;
  const move = { type: 'TransferGroup', groupId: 7, parent, height: 1, callerId: 9, today } as const;
  given(decider, ...made())
    .when(move)
    .thenEvents({
      type: 'GroupTransferred',
      data: {
        ...{ groupId: 7, fullPath: 'top/mid/team' },
        changes: { parentId: 3, visibility: 'private' },
        previous: { parentId: null, visibility: 'internal' },
      },
    });
  given(decider, ...made())
    .when({ ...move, parent: { ...parent, visibility: 'public' } })
    .thenEvents({
      type: 'GroupTransferred',
      data: {
        ...{ groupId: 7, fullPath: 'top/mid/team' },
        changes: { parentId: 3 },
        previous: { parentId: null },
      },
    });
});

test('a moved group keeps shared runners out as its new parent does, and never lets more of them in', () => {
  const settings = ['enabled', 'disabled_with_override', 'disabled_and_unoverridable'] as const;
  const moved: GroupStreamEvent = {
    type: 'GroupTransferred',
    data: { groupId: 7, fullPath: 'top/team', changes: { parentId: 3 }, previous: { parentId: null } },
  };
  const told = (own: (typeof settings)[number], taken: (typeof settings)[number]): GroupStreamEvent => {
    const changes = { settings: { shared_runners_setting: taken } };
    const previous = { settings: { shared_runners_setting: own } };
    return { type: 'GroupUpdated', data: { groupId: 7, changes, previous } };
  };
  for (const [own, was] of settings.entries())
    for (const [above, sharedRunnersSetting] of settings.entries()) {
      const parent = {
        id: 3,
        fullPath: 'top',
        visibility: 'public',
        depth: 1,
        sharedRunnersSetting,
      } as const;
      // Groups say nothing of the default.
      const said = own === 0 ? {} : { settings: { shared_runners_setting: was } };
      given(decider, ...made(TOP, said))
        .when({ type: 'TransferGroup', groupId: 7, parent, height: 1, callerId: 9, today })
        .thenEvents(moved, ...(above > own ? [told(was, sharedRunnersSetting)] : []));
    }
});

test('a group that loses its owners above belongs to whoever moves it to the top', () => {
  const below = made({ parentId: 3, fullPath: 'top/team' }, { creatorId: null });
  const move: GroupCommand = {
    ...{ type: 'TransferGroup', groupId: 7, parent: null, height: 1, callerId: 9, today },
  };
  const moved: GroupStreamEvent = {
    type: 'GroupTransferred',
    data: {
      ...{ groupId: 7, fullPath: 'team', changes: { parentId: null }, previous: { parentId: 3 } },
    },
  };
  given(decider, ...below)
    .when(move)
    .thenEvents(moved, added(9, 50));
  given(decider, ...below, added(9, 30))
    .when(move)
    .thenEvents(
      moved,
      changed(9, { accessLevel: 50, expiresAt: null }, { accessLevel: 50 }, { accessLevel: 30 }),
    );
  given(decider, ...below, added(4, 50))
    .when(move)
    .thenEvents(moved);
});

test('what a group cannot become by a move is refused', () => {
  const place = { id: 3, fullPath: 'top', visibility: 'public', depth: 1 } as const;
  const parent = { ...place, sharedRunnersSetting: 'enabled' } as const;
  const move = { type: 'TransferGroup', groupId: 7, parent, height: 1, callerId: 9, today } as const;
  const marked: GroupStreamEvent = {
    type: 'GroupDeletionScheduled',
    data: { groupId: 7, changes: { deletionDueAt: '2026-02-01' }, previous: { deletionDueAt: null } },
  };
  given(decider, ...made())
    .when({ ...move, parent: null })
    .thenRejected('refused');
  given(decider, ...made({ parentId: 3, fullPath: 'top/team' }))
    .when(move)
    .thenRejected('refused');
  given(decider, ...made())
    .when({ ...move, height: 20 })
    .thenRejected('refused');
  given(decider, ...made({ parentId: 3, fullPath: 'top/api' }, { path: 'api' }))
    .when({ ...move, parent: null })
    .thenRejected('refused');
  given(decider, ...made(), marked)
    .when(move)
    .thenRejected('forbidden');
  given(decider, ...made(), deleted)
    .when(move)
    .thenRejected('not_found');
});

test('a group below one that became less open follows it', () => {
  const lower = (ceiling: 'private' | 'internal' | 'public'): GroupCommand => ({
    ...{ type: 'LowerGroupVisibility', groupId: 7, ceiling },
  });
  given(decider, ...made())
    .when(lower('private'))
    .thenEvents({
      type: 'GroupUpdated',
      data: { groupId: 7, changes: { visibility: 'private' }, previous: { visibility: 'internal' } },
    });
  given(decider, ...made())
    .when(lower('internal'))
    .thenEvents();
  given(decider, ...made(), deleted)
    .when(lower('private'))
    .thenEvents();
});
