import { GroupCreated, type GroupStreamEvent } from '@forgelog/contracts/admin/groups/group.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, test } from 'vitest';
import { type GroupCommand, type GroupState, groupDecider } from './group.decider.ts';

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

const stateAfter = (events: readonly GroupStreamEvent[]): GroupState =>
  events.reduce(groupDecider.evolve, groupDecider.initialState);

function given(...commands: GroupCommand[]) {
  const events: GroupStreamEvent[] = [];
  for (const command of commands) events.push(...groupDecider.decide(command, stateAfter(events)));
  const decide = (command: GroupCommand) => groupDecider.decide(command, stateAfter(events));
  return {
    decide,
    rejects(command: GroupCommand, status: number, body: object) {
      const attempt = () => decide(command);
      expect(attempt).toThrow(Rejection);
      try {
        attempt();
      } catch (rejection) {
        expect((rejection as Rejection).status).toBe(status);
        expect((rejection as Rejection).body).toEqual(body);
      }
    },
  };
}

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
  const events = given().decide({ ...group, parent });
  expect(events).toMatchObject([
    { type: 'GroupCreated', data: { parentId: 3, fullPath: 'top/mid/team', creatorId: 1, ownerId: null } },
    { type: 'GroupMemberAdded', data: { groupId: 7, userId: 1, accessLevel: 50, reason: 'created' } },
  ]);
  expect(stateAfter(events)).toMatchObject({ members: { 1: { accessLevel: 50, expiresAt: null } } });
  expect(given().decide({ ...group, creatorId: null })).toHaveLength(1);
});

test('the creator of a group from before their own event is its owner', () => {
  const [created] = given().decide(group);
  const { ownerId: _, ...data } = (created as { data: object & { ownerId: null } }).data;
  const upcast = { type: 'GroupCreated', data: GroupCreated.upcast[1]!(data) } as GroupStreamEvent;
  expect(stateAfter([upcast])).toMatchObject({ members: { 1: { accessLevel: 50, expiresAt: null } } });
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
  given().rejects({ ...group, ...wrong }, 400, { message: `Failed to save group ${text}` });
});

test.each(['-a', 'a.', 'a.git', 'a.atom', 'a b', 'ä', 'x'.repeat(256)])('the path %s is rejected', (path) => {
  expect(() => given().decide({ ...group, path })).toThrow(Rejection);
});

test.each(['a', 'A-1', '_x.y', '123', '.hidden'])('the path %s is accepted', (path) => {
  expect(given().decide({ ...group, path })).toHaveLength(2);
});

test('a path reserved at the top level is free below, and vice versa', () => {
  const parent = { id: 3, fullPath: 'top', visibility: 'public', depth: 1 } as const;
  expect(given().decide({ ...group, path: 'api', parent })).toHaveLength(2);
  expect(() => given().decide({ ...group, path: 'tree', parent })).toThrow(Rejection);
  expect(given().decide({ ...group, path: 'tree' })).toHaveLength(2);
});

test('a subgroup is at most as open as its parent', () => {
  const parent = { id: 3, fullPath: 'top', visibility: 'private', depth: 1 } as const;
  given().rejects({ ...group, parent }, 400, {
    message:
      'Failed to save group {:visibility_level=>["internal is not allowed since the parent group has private visibility."]}',
  });
});

test('groups nest at most twenty levels deep', () => {
  const parent = { id: 3, fullPath: 'top', visibility: 'public', depth: 19 } as const;
  expect(given().decide({ ...group, parent })).toHaveLength(2);
  given().rejects({ ...group, parent: { ...parent, depth: 20 } }, 400, {
    message: 'Failed to save group {:parent_id=>["has too deep level of nesting"]}',
  });
});

test('an update records only differences, with the old values and the defaults of settings', () => {
  const { decide } = given(group);
  expect(decide(update({ name: 'Team', description: '' }))).toEqual([]);
  expect(decide(update({ name: 'Crew', settings: { lfs_enabled: false } }))).toEqual([
    {
      type: 'GroupUpdated',
      data: {
        groupId: 7,
        changes: { name: 'Crew', settings: { lfs_enabled: false } },
        previous: { name: 'Team', settings: { lfs_enabled: true } },
      },
    },
  ]);
});

test('a group is at least as open as its contents', () => {
  const narrower = {
    ...update({ visibility: 'private' }),
    below: { group: 'internal', project: 'internal' },
  };
  given(group).rejects(narrower as GroupCommand, 400, {
    message: {
      visibility_level: [
        'private is not allowed since this group contains projects with higher visibility.',
        'private is not allowed since there are sub-groups with higher visibility.',
      ],
    },
  });
});

test('a member is added once, and again after the membership expired', () => {
  given(group, add(2, 30)).rejects(add(2, 20), 409, { message: 'Member already exists' });
  expect(given(group, add(2, 30, '2026-01-10')).decide(add(2, 20))).toMatchObject([
    { type: 'GroupMemberRemoved', data: { userId: 2, reason: 'expired' } },
    { type: 'GroupMemberAdded', data: { userId: 2, accessLevel: 20 } },
  ]);
});

test('changing and removing require a member', () => {
  const { rejects } = given(group, add(2, 30, '2026-01-10'));
  for (const command of [change(3, 30), remove(3), change(2, 20), remove(2)])
    rejects(command, 404, { message: '404 Not found' });
});

test('the last owner stays, unless a parent group provides one or the membership expires', () => {
  const { rejects, decide } = given(group, add(2, 50, '2026-01-10'), add(3, 40));
  const forbidden = { message: '403 Forbidden' };
  rejects(remove(1), 403, forbidden);
  rejects(remove(1, 'left'), 403, forbidden);
  rejects(change(1, 40), 403, forbidden);
  rejects(change(1, 50, '2026-01-09'), 403, forbidden);
  expect(decide(remove(1, 'removed', true))).toHaveLength(1);
  expect(decide(end([1], 'deleted'))).toHaveLength(1);
  expect(given(group, add(2, 50)).decide(remove(1))).toHaveLength(1);
});

test('memberships end on their day, also the last owner’s, and once', () => {
  const moved = change(2, 30, '2026-01-12');
  const { decide } = given(group, add(2, 30, '2026-01-11'), add(3, 30, '2026-01-11'), moved);
  expect(decide(end([1, 2, 3, 9], 'expired'))).toEqual([]);
  const due = given({ ...group, creatorId: null }, add(2, 50, today), add(3, 30, today));
  const ended = [2, 3].map((userId) => ({
    type: 'GroupMemberRemoved',
    data: { groupId: 7, userId, reason: 'expired' },
  }));
  expect(due.decide(end([2, 3], 'expired'))).toEqual(ended);
  const over = given(group, add(2, 30, today), end([2], 'expired'));
  expect(over.decide(end([2], 'expired'))).toEqual([]);
});

test('members of a deleted group end once each', () => {
  const gone = [group, add(2, 30), { type: 'DeleteGroup', groupId: 7, fullPath: 'team' } as const] as const;
  expect(given(...gone).decide(end([1, 2, 9], 'deleted'))).toMatchObject([
    { data: { userId: 1, reason: 'deleted' } },
    { data: { userId: 2, reason: 'deleted' } },
  ]);
  expect(given(...gone, end([1], 'deleted')).decide(end([1, 2], 'deleted'))).toHaveLength(1);
  expect(given().decide(end([1], 'deleted'))).toEqual([]);
});

test('a change of a member tells the old level and the old end', () => {
  expect(given(group, add(2, 30, '2026-02-01')).decide(change(2, 40))).toMatchObject([
    {
      data: {
        changes: { accessLevel: 40, expiresAt: null },
        previous: { accessLevel: 30, expiresAt: '2026-02-01' },
      },
    },
  ]);
});

test('an update to the same values records nothing', () => {
  expect(given(group, add(2, 30)).decide(change(2, 30))).toEqual([]);
});

test('a deleted group is not found by any command', () => {
  const { rejects } = given(group, { type: 'DeleteGroup', groupId: 7, fullPath: 'team' });
  rejects(update({ name: 'x' }), 404, { message: '404 Group Not Found' });
  rejects(add(2, 30), 404, { message: '404 Group Not Found' });
});
