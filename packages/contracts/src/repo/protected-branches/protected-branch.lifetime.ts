import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import {
  ProtectedBranchCreated,
  ProtectedBranchDeleted,
  ProtectedBranchUpdated,
} from './protected-branch.events.ts';

export const protectedBranchLifetime = defineLifetime({
  kind: 'ProtectedBranch',
  id: ['protectedBranchId'],
  begins: [begins(ProtectedBranchCreated)],
  changes: changedBy(ProtectedBranchUpdated),
  ends: [endsWith(ProtectedBranchDeleted, ['protectedBranchId']), endsWith(ProjectDeleted, ['projectId'])],
});
