import type { EventOf } from '@forgelog/contracts/event.ts';
import type {
  PushReceived,
  RefUpdated,
  RepositoryForked,
} from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import {
  type PushedCommits,
  type RefMove,
  RefMovedMeanwhileError,
  RefsDifferError,
  refLogDecider,
} from './ref-log.decider.ts';
import { RefTable } from './ref-table.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const C = 'c'.repeat(40);

const move = (oldOid: string, newOid: string, ref = 'refs/heads/main'): RefMove => ({
  ref,
  oldOid,
  newOid,
  commitCount: 1,
  commitCountIsLowerBound: false,
  commitTitle: 'title',
  forced: false,
});
const push = { projectId: 7, pushId: 'p', via: 'push', pushOptions: [] as string[] } as const;
const record = (...moves: RefMove[]) => ({ type: 'RecordMoves', ...push, moves, commits: null }) as const;
const moved = (one: RefMove): EventOf<typeof RefUpdated> => ({
  type: 'RefUpdated',
  data: { ...push, ...one, merge: null, suggestionIds: null },
});
const commits: PushedCommits = {
  commitCount: 2,
  commitCountIsLowerBound: false,
  authors: [{ name: 'Ada', utcOffset: '+02:00', commits: 2 }],
  authorsAreComplete: true,
};
const told = ({ ref, oldOid, newOid, commitCount, forced }: RefMove) =>
  ({ ref, oldOid, newOid, commitCount, forced }) as const;
const after = (...moves: RefMove[]) =>
  moves.map(moved).reduce(refLogDecider.evolve, refLogDecider.initialState);

test('each moved ref is one event with its old and new id', () => {
  const moves = [move(ZERO_OID, A), move(ZERO_OID, B, 'refs/tags/v1')];
  given(refLogDecider)
    .when(record(...moves))
    .thenEvents(...moves.map(moved));
});

test('a push is one event, after those of its refs', () => {
  const moves = [move(ZERO_OID, A), move(ZERO_OID, B, 'refs/tags/v1'), move(ZERO_OID, C, 'refs/notes/n')];
  const kinds = ['branch', 'tag', 'other'] as const;
  const refs = moves.map((one, at) => ({ ...told(one), kind: kinds[at]!, change: 'created' as const }));
  given(refLogDecider)
    .when({ ...record(...moves), commits })
    .thenEvents(...moves.map(moved), {
      type: 'PushReceived',
      data: { ...push, refCount: 3, refs, ...commits },
    });
});

test('a push that moves its refs one by one is told with the last one', () => {
  const [first, last] = [move(ZERO_OID, A), move(B, ZERO_OID, 'refs/heads/gone')];
  const there = { ...moved(move(ZERO_OID, B, 'refs/heads/gone')) };
  const known = { ...there, data: { ...there.data, pushId: null } };
  const refs = [
    { ...told(first), kind: 'branch' as const, change: 'created' as const },
    { ...told(last), kind: 'branch' as const, change: 'deleted' as const },
  ];
  const received: EventOf<typeof PushReceived> = {
    type: 'PushReceived',
    data: { ...push, refCount: 2, refs, ...commits },
  };
  const begun = given(refLogDecider, known, moved(first));
  begun.when({ ...record(last), commits }).thenEvents(moved(last), received);
  // Another push at the same time has refs of its own.
  const other = move(ZERO_OID, C, 'refs/heads/other');
  begun.when({ ...record(other), pushId: 'q', commits }).thenEvents(
    { type: 'RefUpdated', data: { ...push, ...other, pushId: 'q', merge: null, suggestionIds: null } },
    {
      type: 'PushReceived',
      data: {
        ...{ ...push, pushId: 'q', refCount: 1, ...commits },
        refs: [{ ...told(other), kind: 'branch', change: 'created' }],
      },
    },
  );
});

test('a push that broke off ends once, with what its refs tell', () => {
  const first = { ...move(ZERO_OID, A), commitCount: 3 };
  const end = { type: 'EndPush', ...push } as const;
  const received: EventOf<typeof PushReceived> = {
    type: 'PushReceived',
    data: {
      ...{ ...push, refCount: 1, refs: [{ ...told(first), kind: 'branch', change: 'created' }] },
      ...{ commitCount: 3, commitCountIsLowerBound: true, authors: [], authorsAreComplete: false },
    },
  };
  given(refLogDecider, moved(first)).when(end).thenEvents(received);
  given(refLogDecider, moved(first), received).when(end).thenEvents();
  given(refLogDecider).when(end).thenEvents();
});

test('of many refs the first hundred are listed and all are counted', () => {
  const moves = Array.from({ length: 250 }, (_, at) => move(ZERO_OID, A, `refs/tags/v${at}`));
  const decided = refLogDecider.decide({ ...record(...moves), commits }, refLogDecider.initialState);
  const { data } = decided.at(-1) as EventOf<typeof PushReceived>;
  expect(decided).toHaveLength(251);
  expect([data.refCount, data.refs.length, data.refs.at(-1)?.ref]).toEqual([250, 100, 'refs/tags/v99']);
});

test('a recorded move is not recorded again', () => {
  const other = move(ZERO_OID, B, 'refs/tags/v1');
  given(refLogDecider, moved(move(ZERO_OID, A)))
    .when(record(move(ZERO_OID, A), other))
    .thenEvents(moved(other));
});

test('a merge is told with its move, unless its source has moved meanwhile', () => {
  const source = move(ZERO_OID, B, 'refs/heads/topic');
  const known = given(refLogDecider, moved(move(ZERO_OID, A)), moved(source));
  const merge = { iid: 1, sha: B, mergeCommitSha: C, squashCommitSha: null };
  const merged = move(A, C);
  const unmoved = { ref: source.ref, oid: B };
  const told = { ...moved(merged), data: { ...moved(merged).data, merge } };
  known.when({ ...record(merged), merge, unmoved }).thenEvents(told);
  for (const oid of [A, C]) {
    const decide = () =>
      refLogDecider.decide(
        { ...record(merged), merge, unmoved: { ...unmoved, oid } },
        after(move(ZERO_OID, A), source),
      );
    expect(decide).toThrow(RefMovedMeanwhileError);
  }
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
  expect(after(move(ZERO_OID, A), move(A, ZERO_OID)).refs.toMap().size).toBe(0);
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

test('a fork begins with refs that nobody pushed, once, and keeps what was pushed to it meanwhile', () => {
  const fork = (refs: readonly (readonly [string, string])[], refCount: number | null) =>
    ({ type: 'RecordFork', projectId: 7, forkedFromProjectId: 3, refs, refCount }) as const;
  const begun = (ref: string, newOid: string): EventOf<typeof RefUpdated> => ({
    type: 'RefUpdated',
    data: {
      ...{
        projectId: 7,
        ref,
        oldOid: ZERO_OID,
        newOid,
        via: 'fork',
        pushId: null,
        pushOptions: [],
        merge: null,
        suggestionIds: null,
      },
      ...{ commitCount: 0, commitCountIsLowerBound: false, commitTitle: null, forced: false },
    },
  });
  const end = (refCount: number): EventOf<typeof RepositoryForked> => ({
    type: 'RepositoryForked',
    data: { projectId: 7, forkedFromProjectId: 3, refCount },
  });
  const [main, tag] = [begun('refs/heads/main', A), begun('refs/tags/v1', B)];
  given(refLogDecider)
    .when(fork([['refs/heads/main', A]], null))
    .thenEvents(main);
  const both = [
    ['refs/heads/main', A],
    ['refs/tags/v1', B],
  ] as const;
  given(refLogDecider, main).when(fork(both, 2)).thenEvents(tag, end(2));
  given(refLogDecider, moved(move(ZERO_OID, C)))
    .when(fork(both, 2))
    .thenEvents(tag, end(2));
  given(refLogDecider, main, tag, end(2)).when(fork(both, 2)).thenEvents();
  given(refLogDecider).when(fork([], 0)).thenEvents(end(0));
  // What was deleted after the fork was whole stays deleted.
  given(refLogDecider, main, end(1), moved(move(A, ZERO_OID)))
    .when(fork(both, 2))
    .thenEvents();
});
