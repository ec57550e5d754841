import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, fallback, hash, int, list, oneOfInts, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import { branchView } from '../branches/branch.api.ts';
import examples from './protected-branch.examples.json' with { type: 'json' };

export const refAccessLevelView = defineView('RefAccessLevel', {
  access_level: z.int().nullable(),
  access_level_description: z.string(),
  user_id: z.int().nullable().optional(),
  group_id: z.int().nullable().optional(),
});

/** Protected branch (companions 3). */
export const protectedBranchView = defineView(
  'ProtectedBranch',
  {
    id: z.int(),
    name: z.string(),
    push_access_levels: z.array(refAccessLevelView),
    merge_access_levels: z.array(refAccessLevelView),
    allow_force_push: z.boolean(),
    unprotect_access_levels: z.array(refAccessLevelView).optional(),
    code_owner_approval_required: z.boolean().optional(),
  },
  examples.ProtectedBranch,
);

const LEVELS = '0 nobody, 30 Developers, 40 Maintainers, 60 administrators';
/** The most who may be named for one right. */
const MAX_NAMED = 100;

const level = oneOfInts(0, 30, 40, 60);
const named = (description: string) =>
  described(
    list(
      hash({
        user_id: described(int(), 'Id of a member of the project'),
        group_id: described(int(), 'Id of a group; its Developers are meant'),
        access_level: described(level, `Access level: ${LEVELS}`),
      }),
      { max: MAX_NAMED },
    ),
    `${description}: users, groups and levels, one in each item (premium)`,
  );

const base = '/projects/:id/protected_branches';
const name = described(required(text({ max: 255 })), 'Name of the branch; `*` stands for any text', {
  examples: ['release/*'],
});
const one = { id: projectId, name };
const allowForcePush = 'Whether those who may push may also drop commits';
const codeOwners = 'Whether code owners must approve changes of their files (premium)';
// All endpoints require Maintainer (companions 2.5).
const common = { service: 'repo', spec: 'companions 2.5', access: project('maintainer') } as const;

export const listProtectedBranches = defineEndpoint({
  ...common,
  id: 'protected-branch-list',
  method: 'GET',
  path: base,
  summary: 'Protected branches and wildcards of a project, the oldest first',
  params: { id: projectId, search: described(text({ max: 255 }), 'Only names that hold this') },
  pagination: 'offset',
  response: z.array(protectedBranchView),
});

export const getProtectedBranch = defineEndpoint({
  ...common,
  id: 'protected-branch-get',
  method: 'GET',
  path: `${base}/:name`,
  summary: 'One protected branch or wildcard, by its name',
  params: one,
  response: protectedBranchView,
});

export const createProtectedBranch = defineEndpoint({
  ...common,
  id: 'protected-branch-create',
  method: 'POST',
  path: base,
  summary: 'Protect a branch, or with a wildcard several; at most 500 names in a project',
  params: {
    ...one,
    push_access_level: described(level, `Who may push: ${LEVELS}; 40 unless somebody is named`),
    merge_access_level: described(level, `Who may merge: ${LEVELS}; 40 unless somebody is named`),
    unprotect_access_level: described(
      level,
      `Which Maintainers may end it: ${LEVELS}; 40 unless somebody is named`,
    ),
    allow_force_push: described(fallback(bool(), false), allowForcePush),
    allowed_to_push: named('Who may push'),
    allowed_to_merge: named('Who may merge'),
    allowed_to_unprotect: named('Who may change or end the protection, if they are Maintainers'),
    code_owner_approval_required: described(fallback(bool(), false), codeOwners),
  },
  status: 201,
  otherStatuses: [422],
  response: protectedBranchView,
});

export const updateProtectedBranch = defineEndpoint({
  ...common,
  id: 'protected-branch-update',
  method: 'PATCH',
  path: `${base}/:name`,
  summary: 'Change the protection of a branch',
  params: {
    ...one,
    allow_force_push: described(bool(), allowForcePush, { examples: [true] }),
    code_owner_approval_required: described(bool(), codeOwners),
  },
  response: protectedBranchView,
});

export const deleteProtectedBranch = defineEndpoint({
  ...common,
  id: 'protected-branch-delete',
  method: 'DELETE',
  path: `${base}/:name`,
  summary: 'End the protection of a branch or wildcard; branches stay',
  params: one,
  status: 204,
});

const branch = described(required(text({ max: 1024 })), 'Name of the branch', { examples: ['feature'] });

export const protectBranch = defineEndpoint({
  ...common,
  id: 'branch-protect',
  method: 'PUT',
  path: '/projects/:id/repository/branches/:branch/protect',
  summary: 'Protect a branch, in the deprecated form of clients from before protected branches had addresses',
  params: {
    id: projectId,
    branch,
    developers_can_push: described(bool(), 'Whether Developers may push; unless given, as before', {
      examples: [true],
    }),
    developers_can_merge: described(bool(), 'Whether Developers may merge; unless given, as before'),
  },
  otherStatuses: [422],
  response: branchView,
});

export const unprotectBranch = defineEndpoint({
  ...common,
  id: 'branch-unprotect',
  method: 'PUT',
  path: '/projects/:id/repository/branches/:branch/unprotect',
  summary: 'End the protection of a branch, in the deprecated form',
  params: { id: projectId, branch },
  response: branchView,
});

export const protectedBranchEndpoints = [
  listProtectedBranches,
  getProtectedBranch,
  createProtectedBranch,
  updateProtectedBranch,
  deleteProtectedBranch,
  protectBranch,
  unprotectBranch,
];
