import type { ProtectedBranchEvent } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { levelAdmission } from '../refs/admission.rules.ts';
import { protectedBranches, protectedBranchesProjection } from './protected-branches.projection.ts';

const access = [levelAdmission(40)];
const created = (protectedBranchId: number, projectId = 7): ProtectedBranchEvent => ({
  type: 'ProtectedBranchCreated',
  data: {
    ...{ protectedBranchId, projectId, name: `b${protectedBranchId}` },
    ...{ pushAccess: access, mergeAccess: access, unprotectAccess: access },
    ...{ allowForcePush: false, codeOwnerApprovalRequired: false },
  },
});

test('a protected branch is stored as it was changed last', async () => {
  const given = givenEvents(protectedBranchesProjection, created(1), {
    type: 'ProtectedBranchUpdated',
    data: {
      ...{ protectedBranchId: 1, projectId: 7, name: 'b1' },
      ...{ changes: { allowForcePush: true }, previous: { allowForcePush: false } },
    },
  });
  await given.thenDocuments(protectedBranches, [
    { id: 1, projectId: 7, name: 'b1', pushAccess: access, allowForcePush: true },
  ]);
});

test('a protected branch is deleted by itself and with its project', async () => {
  const deletion: ProtectedBranchEvent = {
    type: 'ProtectedBranchDeleted',
    data: { protectedBranchId: 1, projectId: 7, name: 'b1' },
  };
  await givenEvents(
    protectedBranchesProjection,
    ...[created(1), created(2), created(3, 8)],
    deletion,
    projectDeleted(7).event,
  ).thenDocuments(protectedBranches, [{ id: 3 }]);
});
