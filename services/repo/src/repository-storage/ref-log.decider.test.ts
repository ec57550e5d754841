import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { expect, test } from 'vitest';
import { type RefMove, RefsDifferError, refLogDecider } from './ref-log.decider.ts';

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
const record = (moves: RefMove[]) =>
  ({ type: 'RecordMoves', projectId: 7, via: 'push', pushOptions: [], moves }) as const;
const after = (...moves: RefMove[]) =>
  moves.reduce(
    (state, one) => refLogDecider.decide(record([one]), state).reduce(refLogDecider.evolve, state),
    refLogDecider.initialState,
  );

test('each moved ref is one event with its old and new id', () => {
  const moves = [move(ZERO_OID, A), move(ZERO_OID, B, 'refs/tags/v1')];
  const events = refLogDecider.decide(record(moves), refLogDecider.initialState);
  expect(events.map(({ data }) => data)).toEqual(
    moves.map((one) => ({ projectId: 7, via: 'push', pushOptions: [], ...one })),
  );
});

test('a recorded move is not recorded again', () => {
  expect(refLogDecider.decide(record([move(ZERO_OID, A)]), after(move(ZERO_OID, A)))).toEqual([]);
});

test('refs of git behind the log are an error', () => {
  const state = after(move(ZERO_OID, A), move(A, B));
  expect(() => refLogDecider.decide(record([move(A, C)]), state)).toThrow(RefsDifferError);
  expect(() => refLogDecider.decide(record([move(ZERO_OID, C)]), state)).toThrow(RefsDifferError);
});

test('a deleted ref can be created again', () => {
  const state = after(move(ZERO_OID, A), move(A, ZERO_OID));
  expect(state.get('refs/heads/main')).toBeUndefined();
  expect(state.toMap().size).toBe(0);
  expect(refLogDecider.decide(record([move(ZERO_OID, B)]), state)).toHaveLength(1);
});

test('a table is immutable', () => {
  const one = after(move(ZERO_OID, A));
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
  let state = refLogDecider.initialState;
  for (let number = 0; number < 5_000; number++) state = state.with(`refs/heads/branch-${number}`, A);
  expect(state.toMap().size).toBe(5_000);
  expect(state.get('refs/heads/branch-4999')).toBe(A);
});
