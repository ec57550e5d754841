import { defineEndpoint } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { commitsToBranches, singleCommitView } from '../commits/commit.api.ts';

const EXAMPLE_SHA = '64a11b2166e540b1fe06d7f79533a3a645ff7a13';

export const updateSubmodule = defineEndpoint({
  ...commitsToBranches,
  id: 'submodule-update',
  method: 'PUT',
  path: '/projects/:id/repository/submodules/:submodule',
  summary: 'Let a submodule be at another commit, by a commit to a branch',
  spec: 'companions 2.5',
  params: {
    id: projectId,
    submodule: described(required(text({ max: 4096 })), 'URL-encoded path of the submodule'),
    branch: described(required(text({ max: 1024 })), 'Branch to commit to', { examples: ['main'] }),
    commit_sha: described(
      required(text({ max: 255 })),
      'Id of the commit in the repository of the submodule',
      {
        examples: [EXAMPLE_SHA],
      },
    ),
    commit_message: described(text(), 'Message of the commit; by default it names the submodule'),
  },
  response: singleCommitView,
});

export const submoduleEndpoints = [updateSubmodule];
