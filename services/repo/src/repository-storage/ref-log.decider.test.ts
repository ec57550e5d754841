import type { EventOf } from '@forgelog/contracts/event.ts';
import type { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import { type RefMove, RefsDifferError, refLogDecider } from './ref-log.decider.ts';
import { RefTable } from './ref-table.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const C = 'c'.repeat(40);

const move = (oldOid: string, newOid: string, ref = 'refs/heads/main'): RefMove => ({
  ref,
  oldOid,
  newOid,
  commitCount: 1,
  commitTitle: 'title',
});
const record = (...moves: RefMove[]) =>
  ({ type: 'RecordMoves', projectId: 7, via: 'push', pushOptions: [], moves }) as const;
const moved = (one: RefMove): EventOf<typeof RefUpdated> => ({
  type: 'RefUpdated',
  data: { projectId: 7, via: 'push', pushOptions: [], ...one },
});
const after = (...moves: RefMove[]) =>
  moves.map(moved).reduce(refLogDecider.evolve, refLogDecider.initialState);

test('each moved ref is one event with its old and new id', () => {
  const moves = [move(ZERO_OID, A), move(ZERO_OID, B, 'refs/tags/v1')];
  given(refLogDecider)
    .when(record(...moves))
    .thenEvents(...moves.map(moved));
});

test('a recorded move is not recorded again', () => {
  const other = move(ZERO_OID, B, 'refs/tags/v1');
  given(refLogDecider, moved(move(ZERO_OID, A)))
    .when(record(move(ZERO_OID, A), other))
    .thenEvents(moved(other));
});

test('refs of git behind the log are an error', () => {
  const state = after(move(ZERO_OID, A), move(A, B));
  expect(() => refLogDecider.decide(record(move(A, C)), state)).toThrow(RefsDifferError);
  expect(() => refLogDecider.decide(record(move(ZERO_OID, C)), state)).toThrow(RefsDifferError);
});

test('a deleted ref can be created again', () => {
  given(refLogDecider, moved(move(ZERO_OID, A)), moved(move(A, ZERO_OID)))
    .when(record(move(ZERO_OID, B)))
    .thenEvents(moved(move(ZERO_OID, B)));
  expect(after(move(ZERO_OID, A), move(A, ZERO_OID)).toMap().size).toBe(0);
});

test('a table is immutable', () => {
  const one = RefTable.EMPTY.with('refs/heads/main', A);
  const two = one.with('refs/heads/main', B).with('refs/heads/other', C);
  expect(one.toMap()).toEqual(new Map([['refs/heads/main', A]]));
  expect(two.toMap()).toEqual(
    new Map([
      ['refs/heads/main', B],
      ['refs/heads/other', C],
    ]),
  );
});

test('a table holds many refs', () => {
  let state = RefTable.EMPTY;
  for (let number = 0; number < 5_000; number++) state = state.with(`refs/heads/branch-${number}`, A);
  expect(state.toMap().size).toBe(5_000);
  expect(state.get('refs/heads/branch-4999')).toBe(A);
});
