import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectCreated, projectDeleted } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import {
  repositoryLogEnd,
  repositoryPlaces,
  repositoryRefs,
  repositoryRefsProjection,
} from './repository-refs.projection.ts';

const ZERO = '0'.repeat(40);
const A = 'a'.repeat(40);
const B = 'b'.repeat(40);

const inSecond = (projectId: number) => {
  const { type, data } = projectCreated(projectId).event;
  return { type, data: { ...(data as object), storage: 'second' } };
};
const moved = (projectId: number, ref: string, newOid = A, oldOid = ZERO) => ({
  type: 'RefUpdated',
  data: { projectId, ref, oldOid, newOid },
});
const deletedInSecond = (projectId: number) => {
  const { type, data } = projectDeleted(projectId).event;
  return { type, data: { ...(data as object), storage: 'second' } };
};
/** Id of the event at this place, counted from 1. */
const nth = (at: number) => expect.stringMatching(new RegExp(`-0*${at}$`));

const both = [projectCreated(1).event, inSecond(2)];

test('a ref is where it was moved to last, and is gone when it is deleted', async () => {
  await givenEvents(
    repositoryRefsProjection,
    ...both,
    moved(1, 'refs/heads/a'),
    moved(1, 'refs/heads/b'),
    moved(2, 'refs/heads/a'),
    moved(1, 'refs/heads/a', B, A),
    moved(1, 'refs/heads/b', ZERO, A),
  ).thenDocuments(repositoryRefs, [
    { key: '1 refs/heads/a', projectId: 1, ref: 'refs/heads/a', oid: B },
    { key: '2 refs/heads/a', projectId: 2, oid: A },
  ]);
});

test('the last event of a storage is one of its own repositories', async () => {
  await givenEvents(repositoryRefsProjection, ...both).thenDocuments(repositoryLogEnd, []);
  const moves = [...both, moved(2, 'refs/heads/a'), moved(1, 'refs/heads/a')];
  await givenEvents(repositoryRefsProjection, ...moves).thenDocuments(repositoryLogEnd, [
    { storage: 'default', eventId: nth(4) },
    { storage: 'second', eventId: nth(3) },
  ]);
  await givenEvents(repositoryRefsProjection, ...moves, deletedInSecond(2)).thenDocuments(repositoryLogEnd, [
    { storage: 'default', eventId: nth(4) },
    { storage: 'second', eventId: nth(5) },
  ]);
});

test('a deleted project leaves neither refs nor a place behind', async () => {
  const moves = [...both, moved(2, 'refs/heads/a'), moved(1, 'refs/heads/a')];
  await givenEvents(repositoryRefsProjection, ...moves).thenDocuments(repositoryPlaces, [
    { projectId: 2, storage: 'second' },
  ]);
  const left = givenEvents(repositoryRefsProjection, ...moves, deletedInSecond(2));
  await left.thenDocuments(repositoryPlaces, []);
  await left.thenDocuments(repositoryRefs, [{ projectId: 1 }]);
});
