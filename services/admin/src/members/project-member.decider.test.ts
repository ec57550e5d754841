import type { ProjectMemberEvent } from '@forgelog/contracts/admin/members/project-member.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { describe, test } from 'vitest';
import { projectMemberDecider as decider, type ProjectMemberCommand } from './project-member.decider.ts';

const at = { projectId: 7, userId: 2, ownerId: null, today: '2026-03-10' };
const member = { projectId: 7, userId: 2, accessLevel: 30, expiresAt: null };

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
    given(decider)
      .when(add({ expiresAt: '2026-04-01' }))
      .thenEvents(added({ expiresAt: '2026-04-01' }));
  });

  test('rejects an existing member', () => {
    const exists = { message: 'Member already exists' };
    given(decider, added()).when(add()).thenRejected('conflict', exists);
    given(decider)
      .when(add({ ownerId: 2 }))
      .thenRejected('conflict', exists);
  });

  test('accepts a member whose membership expired', () => {
    const ended = added({ expiresAt: '2026-03-10' });
    given(decider, ended)
      .when(add({ accessLevel: 20 }))
      .thenEvents(over(), added({ accessLevel: 20 }));
    given(decider, added({ expiresAt: '2026-03-11' }))
      .when(add())
      .thenRejected('conflict');
  });
});

describe('changing', () => {
  const lasting = added({ expiresAt: '2026-04-01' });
  const changed = (data: object): ProjectMemberEvent =>
    ({ type: 'ProjectMemberChanged', data: { ...member, ...data } }) as ProjectMemberEvent;

  test('changes the level and keeps the end date', () => {
    given(decider, lasting)
      .when(change())
      .thenEvents(
        changed({
          ...{ accessLevel: 40, previousAccessLevel: 30, expiresAt: '2026-04-01' },
          ...{ changes: { accessLevel: 40 }, previous: { accessLevel: 30 } },
        }),
      );
  });

  test('clears the end date', () => {
    given(decider, lasting)
      .when(change({ accessLevel: 30, expiresAt: null }))
      .thenEvents(
        changed({
          ...{ accessLevel: 30, previousAccessLevel: 30, expiresAt: null },
          ...{ changes: { expiresAt: null }, previous: { expiresAt: '2026-04-01' } },
        }),
      );
  });

  test('records nothing for equal values', () => {
    given(decider, added())
      .when(change({ accessLevel: 30 }))
      .thenEvents();
  });

  test('rejects a non-member and an expired one', () => {
    const missing = { message: '404 Not found' };
    given(decider).when(change()).thenRejected('record_not_found', missing);
    given(decider, added({ expiresAt: '2026-03-01' }))
      .when(change())
      .thenRejected('record_not_found', missing);
  });
});

describe('removing', () => {
  test('ends the membership', () => {
    const data = { projectId: 7, userId: 2, reason: 'left' };
    const removed = { type: 'ProjectMemberRemoved', data } as ProjectMemberEvent;
    given(decider, added())
      .when(remove({ reason: 'left' }))
      .thenEvents(removed);
    given(decider, added(), removed).when(remove()).thenRejected('record_not_found');
  });
});

describe('ending', () => {
  test('happens on the day of the date, and not to one that was moved', () => {
    given(decider, added({ expiresAt: '2026-03-10' }))
      .when(end('expired'))
      .thenEvents(over());
    given(decider, added({ expiresAt: '2026-03-11' }))
      .when(end('expired'))
      .thenEvents();
    given(decider, added()).when(end('expired')).thenEvents();
  });

  test('happens by deletion in any case, and once', () => {
    given(decider, added()).when(end('deleted')).thenEvents(over('deleted'));
    given(decider, added(), over('deleted')).when(end('deleted')).thenEvents();
    given(decider).when(end('deleted')).thenEvents();
  });
});

test('the owner of the personal namespace cannot be changed or removed', () => {
  given(decider)
    .when(change({ ownerId: 2 }))
    .thenRejected('forbidden');
  given(decider)
    .when(remove({ ownerId: 2, reason: 'left' }))
    .thenRejected('forbidden');
});
