import type { ProtectedTagEvent } from '@forgelog/contracts/repo/protected-tags/protected-tag.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { protectedTagDecider } from './protected-tag.decider.ts';

const ids = { protectedTagId: 3, projectId: 7, name: 'v*' };
const created: ProtectedTagEvent = { type: 'ProtectedTagCreated', data: { ...ids, createAccessLevel: 40 } };
const deleted: ProtectedTagEvent = { type: 'ProtectedTagDeleted', data: ids };
const protect = { type: 'ProtectTag', ...ids, createAccessLevel: 40 } as const;
const unprotect = { type: 'UnprotectTag', projectId: 7, name: 'v*' } as const;

test('a name is protected once, and again after its protection ended', () => {
  given(protectedTagDecider).when(protect).thenEvents(created);
  given(protectedTagDecider, created)
    .when({ ...protect, protectedTagId: 4 })
    .thenRejected('unprocessable', { message: ['Name has already been taken'] });
  given(protectedTagDecider, created, deleted).when(protect).thenEvents(created);
});

test('only names that a tag can have are protected, and 500 of them', () => {
  for (const name of ['', 'a b', '..', 'x.lock', '-x'])
    given(protectedTagDecider)
      .when({ ...protect, name })
      .thenRejected('unprocessable', { message: ['Name is invalid'] });
  const many = Array.from(
    { length: 500 },
    (_, at): ProtectedTagEvent => ({
      type: 'ProtectedTagCreated',
      data: { ...ids, protectedTagId: at, name: `v${at}`, createAccessLevel: 0 },
    }),
  );
  given(protectedTagDecider, ...many)
    .when(protect)
    .thenRejected('unprocessable');
  given(protectedTagDecider, ...many.slice(1))
    .when(protect)
    .thenEvents(created);
});

test('what is not protected is not found', () => {
  given(protectedTagDecider, created).when(unprotect).thenEvents(deleted);
  given(protectedTagDecider, created, deleted).when(unprotect).thenRejected('record_not_found');
});
