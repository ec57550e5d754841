import type { ProjectMemberEvent } from '@forgelog/contracts/admin/members/project-member.events.ts';
import { describe, expect, test } from 'vitest';
import { type ProjectMemberCommand, projectMemberDecider } from './project-member.decider.ts';

const at = { projectId: 7, userId: 2, ownerId: null, today: '2026-03-10' };
const member = { projectId: 7, userId: 2, accessLevel: 30, expiresAt: null };

function given(...events: ProjectMemberEvent[]) {
  const state = events.reduce(projectMemberDecider.evolve, projectMemberDecider.initialState);
  return { when: (command: ProjectMemberCommand) => projectMemberDecider.decide(command, state) };
}
const added = (data: { accessLevel?: number; expiresAt?: string | null } = {}): ProjectMemberEvent => ({
  type: 'ProjectMemberAdded',
  data: { ...member, ...data },
});
const add = (more: object = {}): ProjectMemberCommand => ({
  type: 'AddProjectMember',
  ...at,
  accessLevel: 30,
  expiresAt: null,
  ...more,
});
const remove = (more: object = {}): ProjectMemberCommand => ({
  type: 'RemoveProjectMember',
  ...at,
  reason: 'removed',
  ...more,
});
const end = (reason: 'expired' | 'deleted'): ProjectMemberCommand => ({
  type: 'EndProjectMembers',
  ...{ projectId: 7, userIds: [2], reason, today: at.today },
});
const over = (reason: 'expired' | 'deleted' = 'expired'): ProjectMemberEvent => ({
  type: 'ProjectMemberRemoved',
  data: { projectId: 7, userId: 2, reason },
});
const change = (more: object = {}): ProjectMemberCommand => ({
  type: 'ChangeProjectMember',
  ...at,
  accessLevel: 40,
  expiresAt: undefined,
  ...more,
});

describe('adding', () => {
  test('creates a member', () => {
    expect(given().when(add({ expiresAt: '2026-04-01' }))).toEqual([added({ expiresAt: '2026-04-01' })]);
  });

  test('rejects an existing member', () => {
    const conflict = expect.objectContaining({ status: 409, body: { message: 'Member already exists' } });
    expect(() => given(added()).when(add())).toThrow(conflict);
    expect(() => given().when(add({ ownerId: 2 }))).toThrow(conflict);
  });

  test('accepts a member whose membership expired', () => {
    const ended = added({ expiresAt: '2026-03-10' });
    expect(given(ended).when(add({ accessLevel: 20 }))).toEqual([over(), added({ accessLevel: 20 })]);
    const lasts = added({ expiresAt: '2026-03-11' });
    expect(() => given(lasts).when(add())).toThrow(expect.objectContaining({ status: 409 }));
  });
});

describe('changing', () => {
  test('changes the level and keeps the end date', () => {
    const data = {
      ...{ ...member, accessLevel: 40, previousAccessLevel: 30, expiresAt: '2026-04-01' },
      ...{ changes: { accessLevel: 40 }, previous: { accessLevel: 30 } },
    };
    expect(given(added({ expiresAt: '2026-04-01' })).when(change())).toEqual([
      { type: 'ProjectMemberChanged', data },
    ]);
  });

  test('clears the end date', () => {
    const [event] = given(added({ expiresAt: '2026-04-01' })).when(
      change({ accessLevel: 30, expiresAt: null }),
    );
    expect(event).toMatchObject({
      type: 'ProjectMemberChanged',
      data: { changes: { expiresAt: null }, previous: { expiresAt: '2026-04-01' } },
    });
  });

  test('records nothing for equal values', () => {
    expect(given(added()).when(change({ accessLevel: 30 }))).toEqual([]);
  });

  test('rejects a non-member and an expired one', () => {
    const missing = expect.objectContaining({ status: 404, body: { message: '404 Not found' } });
    expect(() => given().when(change())).toThrow(missing);
    expect(() => given(added({ expiresAt: '2026-03-01' })).when(change())).toThrow(missing);
  });
});

describe('removing', () => {
  test('ends the membership', () => {
    const data = { projectId: 7, userId: 2, reason: 'left' };
    const removed = { type: 'ProjectMemberRemoved', data } as ProjectMemberEvent;
    expect(given(added()).when(remove({ reason: 'left' }))).toEqual([removed]);
    expect(() => given(added(), removed).when(remove())).toThrow(expect.objectContaining({ status: 404 }));
  });
});

describe('ending', () => {
  test('happens on the day of the date, and not to one that was moved', () => {
    expect(given(added({ expiresAt: '2026-03-10' })).when(end('expired'))).toEqual([over()]);
    expect(given(added({ expiresAt: '2026-03-11' })).when(end('expired'))).toEqual([]);
    expect(given(added()).when(end('expired'))).toEqual([]);
  });

  test('happens by deletion in any case, and once', () => {
    expect(given(added()).when(end('deleted'))).toEqual([over('deleted')]);
    expect(given(added(), over('deleted')).when(end('deleted'))).toEqual([]);
    expect(given().when(end('deleted'))).toEqual([]);
  });
});

test('the owner of the personal namespace cannot be changed or removed', () => {
  const forbidden = expect.objectContaining({ status: 403 });
  expect(() => given().when(change({ ownerId: 2 }))).toThrow(forbidden);
  expect(() => given().when(remove({ ownerId: 2, reason: 'left' }))).toThrow(forbidden);
});
