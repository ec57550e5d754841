import type { ProtectedBranchEvent } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import { type AdmittedCaller, levelAdmission } from '../refs/admission.rules.ts';
import { MAX_PROTECTED_NAMES } from '../refs/protected-name.rules.ts';
import { type BranchChanges, protectedBranchDecider } from './protected-branch.decider.ts';

const ids = { protectedBranchId: 3, projectId: 7, name: 'release/*' };
const maintainers = [levelAdmission(40)];
const rules = {
  pushAccess: maintainers,
  mergeAccess: [levelAdmission(30)],
  unprotectAccess: maintainers,
  allowForcePush: false,
  codeOwnerApprovalRequired: false,
};
const created: ProtectedBranchEvent = { type: 'ProtectedBranchCreated', data: { ...ids, ...rules } };
const deleted: ProtectedBranchEvent = { type: 'ProtectedBranchDeleted', data: ids };
const protect = { type: 'ProtectBranch', ...ids, ...rules } as const;
const caller: AdmittedCaller = { level: 40, userId: 2, isAdmin: false, groupIds: new Set() };
const change = (changes: BranchChanges, by = caller) =>
  ({ type: 'ChangeProtectedBranch', projectId: 7, name: ids.name, caller: by, changes }) as const;
const unprotect = { type: 'UnprotectBranch', projectId: 7, name: ids.name, caller } as const;

test('a name is protected once, and again after its protection ended', () => {
  given(protectedBranchDecider).when(protect).thenEvents(created);
  given(protectedBranchDecider, created)
    .when({ ...protect, protectedBranchId: 4 })
    .thenRejected('conflict', { message: "Protected branch 'release/*' already exists" });
  given(protectedBranchDecider, created, deleted).when(protect).thenEvents(created);
});

test.each(['', '..', 'a b', 'a..b', 'x~1', '-x', 'a\nb', 'a'.repeat(251), '\ud800', 'HEAD', '[a]', 'a//b'])(
  '%j is a name that no branch can have',
  (name) => {
    given(protectedBranchDecider)
      .when({ ...protect, name })
      .thenRejected('unprocessable', { message: ['Name is invalid'] });
  },
);

test('a project has at most 500 protected branches', () => {
  const many = Array.from(
    { length: MAX_PROTECTED_NAMES },
    (_, at): ProtectedBranchEvent => ({
      type: 'ProtectedBranchCreated',
      data: { ...ids, ...rules, protectedBranchId: at, name: `b${at}` },
    }),
  );
  given(protectedBranchDecider, ...many.slice(1))
    .when(protect)
    .thenEvents(created);
  given(protectedBranchDecider, ...many)
    .when(protect)
    .thenRejected('unprocessable');
  expect(MAX_PROTECTED_NAMES).toBe(500);
});

test('a change records only what differs, with the old value', () => {
  given(protectedBranchDecider, created)
    .when(change({ allowForcePush: true, pushAccess: [levelAdmission(40)] }))
    .thenEvents({
      type: 'ProtectedBranchUpdated',
      data: { ...ids, changes: { allowForcePush: true }, previous: { allowForcePush: false } },
    });
  given(protectedBranchDecider, created)
    .when(change({ allowForcePush: false, codeOwnerApprovalRequired: undefined }))
    .thenEvents();
});

test('only those whom the rule admits change or end it', () => {
  const nobody: ProtectedBranchEvent = {
    type: 'ProtectedBranchCreated',
    data: { ...ids, ...rules, unprotectAccess: [levelAdmission(60)] },
  };
  given(protectedBranchDecider, created).when(unprotect).thenEvents(deleted);
  given(protectedBranchDecider, nobody).when(unprotect).thenRejected('forbidden');
  given(protectedBranchDecider, nobody)
    .when(change({ allowForcePush: true }))
    .thenRejected('forbidden');
  given(protectedBranchDecider, nobody)
    .when({ ...unprotect, caller: { ...caller, isAdmin: true } })
    .thenEvents(deleted);
});

test('what is not protected is not found', () => {
  given(protectedBranchDecider, created, deleted).when(unprotect).thenRejected('record_not_found');
  given(protectedBranchDecider).when(change({})).thenRejected('record_not_found');
});
