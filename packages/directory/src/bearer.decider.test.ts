import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { describe, expect, test } from 'vitest';
import { type BearerEvent, bearerDecider, bears } from './bearer.decider.ts';
import { emailStream, NameTakenError, projectNameStream, routeStream } from './name.decider.ts';

const events = {
  user: { type: 'UserCreated', data: { userId: 7, username: 'Ada', email: 'Ada@example.org' } },
  userEmail: { type: 'UserEmailCreated', data: { userId: 7, userEmailId: 3, email: 'Eve@example.org' } },
  userEmailGone: { type: 'UserEmailDeleted', data: { userId: 7, userEmailId: 3 } },
  userRenamed: { type: 'UserUpdated', data: { userId: 7, changes: { username: 'eve' } } },
  userGone: { type: 'UserDeleted', data: { userId: 7 } },
  group: { type: 'GroupCreated', data: { groupId: 7, parentId: 3, path: 'team', name: 'Team' } },
  groupMoved: { type: 'GroupUpdated', data: { groupId: 7, changes: { path: 'crew' } } },
  groupJoined: { type: 'GroupMemberAdded', data: { groupId: 7, userId: 1 } },
  project: { type: 'ProjectCreated', data: { projectId: 7, namespaceId: 3, path: 'app', name: 'App' } },
  projectRenamed: { type: 'ProjectUpdated', data: { projectId: 7, changes: { name: 'Other' } } },
  abandoned: { type: 'ProjectCreationAbandoned', data: { projectId: 7 } },
  forfeited: { type: 'NameForfeited', data: { holder: 'project', holderId: 7 } },
} satisfies Record<string, DomainEvent>;

const given = (...names: (keyof typeof events)[]) =>
  names.reduce(
    (state, name) => bearerDecider.evolve(state, events[name] as BearerEvent),
    bearerDecider.initialState,
  );
const forfeit = (names: string[], ...past: (keyof typeof events)[]) =>
  bearerDecider.decide({ type: 'ForfeitNames', holder: { kind: 'project', id: 7 }, names }, given(...past));

describe('names in use', () => {
  test.each<[string, (keyof typeof events)[], boolean]>([
    [routeStream(null, 'ADA'), ['user'], true],
    [emailStream('ada@EXAMPLE.org'), ['user'], true],
    [emailStream('eve@example.org'), ['user', 'userEmail'], true],
    [emailStream('ada@example.org'), ['user', 'userEmail'], true],
    [emailStream('eve@example.org'), ['user', 'userEmail', 'userEmailGone'], false],
    [routeStream(null, 'ada'), ['user', 'userRenamed'], false],
    [routeStream(null, 'eve'), ['user', 'userRenamed'], true],
    [emailStream('ada@example.org'), ['user', 'userGone'], false],
    [routeStream(3, 'team'), ['group', 'groupJoined'], true],
    [routeStream(3, 'team'), ['group', 'groupMoved'], false],
    [projectNameStream(3, 'Team'), ['group'], false],
    [routeStream(3, 'app'), ['project', 'forfeited'], true],
    [projectNameStream(3, 'App'), ['project'], true],
    [projectNameStream(3, 'app'), ['project'], false],
    [projectNameStream(4, 'App'), ['project'], false],
    [projectNameStream(3, 'App'), ['project', 'projectRenamed'], false],
    [emailStream(''), ['project'], false],
    [routeStream(null, ''), [], false],
  ])('%s after %j: %j', (name, past, expected) => {
    expect(bears(given(...past), name)).toBe(expected);
  });
});

test('a holder that uses a name does not forfeit it', () => {
  expect(() => forfeit([routeStream(3, 'app')], 'project')).toThrow(NameTakenError);
  expect(forfeit([routeStream(3, 'other')], 'project')).toEqual([events.forfeited]);
});

test('a holder that forfeits a name before its creation is never created, which is recorded once', () => {
  expect(forfeit(['route-3/app'])).toEqual([events.forfeited]);
  expect(given('forfeited').status).toBe('gone');
  for (const end of ['forfeited', 'abandoned', 'userGone'] as const)
    expect(forfeit(['route-3/app'], end)).toEqual([]);
});
