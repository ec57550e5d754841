import type { AnyCollection } from '@forgelog/eventing/read-store.ts';
import { expect, test } from 'vitest';
import { startForgelog } from '../support/forgelog.ts';

/** Fields that name an owner, and the event that ends it. */
const OWNERS: Readonly<Record<string, string>> = {
  projectId: 'ProjectDeleted',
  groupId: 'GroupDeleted',
  userId: 'UserDeleted',
  issueId: 'IssueDeleted',
  noteId: 'NoteDeleted',
};

/** Whose documents stay until a policy has appended the event that ends each. */
const UNTIL_TOLD = ['open_memberships', 'open_tokens'];

const ends = (collection: AnyCollection) => (collection.ownedBy ?? []).map(({ event }) => event);

test('a collection that has an owner is declared to be deleted with it', async () => {
  const { system } = await startForgelog();
  const collections = system.projections.flatMap(({ collections }) => collections);
  expect(collections.length).toBeGreaterThan(20);
  const owned = collections.filter(({ name }) => !UNTIL_TOLD.includes(name));
  const undeclared = owned.flatMap((collection) =>
    Object.keys(collection.fields)
      .filter((field) => OWNERS[field] && !ends(collection).includes(OWNERS[field]))
      .map((field) => `${collection.name}.${field}`),
  );
  expect(undeclared, 'ownedBy of its collection says with which event its documents end').toEqual([]);
});
