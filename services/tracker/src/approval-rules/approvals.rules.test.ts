import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countedApprovals, isForBranch, judge } from './approvals.rules.ts';

test('a rule is fulfilled by as many of its users as it asks for, or by all that it has', () => {
  type Row = [required: number, approvers: number[] | null, approvals: number[], left: number];
  const table: Row[] = [
    [0, [], [], 0],
    [1, null, [], 1],
    [2, null, [5], 1],
    [2, null, [5, 6], 0],
    [1, [5], [], 1],
    [1, [5], [6], 1],
    [1, [5, 6], [6], 0],
    [2, [5, 6, 7], [5, 8, 9], 1],
    // Nobody else could fulfil these.
    [3, [5], [], 1],
    [3, [5], [5], 0],
    [1, [], [8], 0],
  ];
  for (const [required, approverIds, approvals, left] of table)
    expect(
      judge({ required, approverIds }, approvals),
      JSON.stringify([required, approverIds, approvals]),
    ).toEqual({
      approvedByIds: approvals.filter((id) => approverIds?.includes(id) ?? true),
      left,
      approved: left === 0,
    });
});

test('no approval takes another away, and everybody who can fulfils every rule', () => {
  const users = fc.uniqueArray(fc.integer({ min: 1, max: 12 }));
  const approverIds = fc.option(users);
  fc.assert(
    fc.property(
      fc.nat(9),
      approverIds,
      users,
      fc.integer({ min: 1, max: 12 }),
      (required, approverIds, by, one) => {
        const before = judge({ required, approverIds }, by);
        const after = judge({ required, approverIds }, [...new Set([...by, one])]);
        expect(after.left).toBeLessThanOrEqual(before.left);
        expect(before.left - after.left).toBeLessThanOrEqual(1);
        expect(before.approvedByIds.every((id) => by.includes(id))).toBe(true);
        const all = Array.from({ length: 12 }, (_, at) => at + 1);
        expect(judge({ required, approverIds }, all).approved).toBe(true);
      },
    ),
  );
});

test('an approval counts from whoever may approve, of the newest commit where a push resets', () => {
  const request = { authorId: 1, sha: 'b', approvedByIds: [1, 2, 3], approvedShas: ['b', 'a', 'b'] };
  const none = new Set<number>();
  const counted = (authorApproves: boolean, resetsOnPush: boolean, committerIds = none) =>
    countedApprovals(request, { authorApproves, resetsOnPush, committerIds });
  expect(counted(false, false)).toEqual([2, 3]);
  expect(counted(true, false)).toEqual([1, 2, 3]);
  expect(counted(false, true)).toEqual([3]);
  expect(counted(true, true)).toEqual([1, 3]);
  expect(counted(true, false, new Set([1, 3]))).toEqual([2]);
});

test('a rule is for the protected branches that it names, and for all where none of them is left', () => {
  const where = { covering: new Set([1]), existing: new Set([1, 2]), isDefault: false };
  const on = (protectedBranchIds: number[], appliesToAllProtectedBranches = false, place = where) =>
    isForBranch({ protectedBranchIds, appliesToAllProtectedBranches }, place);
  expect(on([])).toBe(true);
  expect(on([1])).toBe(true);
  expect(on([2])).toBe(false);
  expect(on([2, 9])).toBe(false);
  expect(on([9])).toBe(true);
  expect(on([2], true)).toBe(true);
  const unprotected = { ...where, covering: new Set<number>() };
  expect(on([], true, unprotected)).toBe(false);
  expect(on([], true, { ...unprotected, isDefault: true })).toBe(true);
  expect(on([1], false, unprotected)).toBe(false);
});
