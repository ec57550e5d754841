import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView, messageView } from '../../views.ts';
import { commitView, readsRepository, writesRepository } from '../commits/commit.api.ts';
import examples from './branch.examples.json' with { type: 'json' };

/** Branch (companions 3). */
export const branchView = defineView(
  'Branch',
  {
    name: z.string(),
    commit: commitView,
    merged: z.boolean(),
    protected: z.boolean(),
    developers_can_push: z.boolean(),
    developers_can_merge: z.boolean(),
    can_push: z.boolean(),
    default: z.boolean(),
    web_url: z.string(),
  },
  examples.Branch,
);

const base = '/projects/:id/repository/branches';
const name = text({ max: 1024 });
const one = {
  id: projectId,
  branch: described(required(name), 'Name of the branch', { examples: ['feature'] }),
};

export const listBranches = defineEndpoint({
  ...readsRepository,
  id: 'branch-list',
  method: 'GET',
  path: base,
  summary: 'Branches by name',
  spec: 'companions 2.5',
  params: {
    id: projectId,
    search: described(name, 'Only names that hold this; `^` marks their beginning, `$` their end'),
  },
  pagination: 'offset',
  cursor: 'page_token',
  response: z.array(branchView),
});

export const getBranch = defineEndpoint({
  ...readsRepository,
  id: 'branch-get',
  method: 'GET',
  path: `${base}/:branch`,
  summary: 'One branch',
  spec: 'companions 2.5',
  params: one,
  response: branchView,
});

export const headBranch = defineEndpoint({
  ...readsRepository,
  id: 'branch-head',
  method: 'HEAD',
  path: `${base}/:branch`,
  summary: 'Whether there is a branch of this name',
  spec: 'companions 2.5',
  params: one,
  status: 204,
});

export const createBranch = defineEndpoint({
  ...writesRepository,
  id: 'branch-create',
  method: 'POST',
  path: base,
  summary: 'Create a branch from a branch, tag or commit; in an empty project with its first commit',
  spec: 'companions 2.5',
  params: {
    ...one,
    ref: described(required(name), 'Branch, tag or commit that it begins at', { examples: ['main'] }),
  },
  status: 201,
  response: branchView,
});

export const deleteBranch = defineEndpoint({
  ...writesRepository,
  id: 'branch-delete',
  method: 'DELETE',
  path: `${base}/:branch`,
  summary: 'Delete a branch',
  spec: 'companions 2.5',
  params: one,
  status: 204,
  otherStatuses: [412],
});

export const deleteMergedBranches = defineEndpoint({
  ...writesRepository,
  id: 'branch-delete-merged',
  method: 'DELETE',
  path: '/projects/:id/repository/merged_branches',
  summary: 'Delete the branches that are merged into the default branch, protected ones excepted',
  spec: 'companions 2.5',
  params: { id: projectId },
  status: 202,
  response: messageView,
});

export const branchEndpoints = [
  listBranches,
  getBranch,
  headBranch,
  createBranch,
  deleteBranch,
  deleteMergedBranches,
];
