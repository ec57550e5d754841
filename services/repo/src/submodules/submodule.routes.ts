import { Rejection } from '@forgelog/contracts/errors.ts';
import { updateSubmodule } from '@forgelog/contracts/repo/submodules/submodule.api.ts';
import { isOid } from '@forgelog/git/objects/object-id.ts';
import { normalizePath } from '@forgelog/git/trees/tree-path.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import { writeCommit } from '../commits/commit.commands.ts';
import { singleCommitJson } from '../commits/commit.view.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { needCommit, refuseEmpty } from '../shared/revisions.ts';

export function submoduleRoutes(ports: RepoPorts): Implementation[] {
  const view = singleCommitJson.renderer(ports);

  return [
    implementWithGit(updateSubmodule, async ({ params, project: grant, caller, metadata }) => {
      refuseEmpty(params, 'submodule', 'branch', 'commit_sha');
      const { submodule, branch, commit_message } = params;
      const oid = params.commit_sha.toLowerCase();
      if (!isOid(oid)) throw new Rejection('invalid_parameters', { problems: ['commit_sha is invalid'] });
      const id = await writeCommit(ports, {
        ...{ grant, caller, metadata, branch },
        message: commit_message || `Update submodule ${submodule} with oid ${oid}`,
        actions: [{ action: 'submodule', path: normalizePath(submodule), oid }],
        refuseUnchanged: `The submodule ${submodule} is already at ${oid}`,
      });
      const repository = ports.repositories.of(grant.project.id);
      const commit = await needCommit(repository, id);
      const stats = await repository.commitStats(commit);
      return json(view.one({ ...commit, projectId: grant.project.id, stats }));
    }),
  ];
}
