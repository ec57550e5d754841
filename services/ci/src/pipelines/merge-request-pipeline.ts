import type { MergeRequestFacts as VariableFacts } from '@forgelog/ci-config/variables/facts.ts';
import { describeMerge } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import type { MergeRequestFacts } from '@forgelog/contracts/tracker/merge-requests/merge-request.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';

/** The ref of its pipelines. Agents fetch the commit by its id. */
export const mergeRequestRef = (iid: number): string => `refs/merge-requests/${iid}/head`;

/**
 * Pipelines of merge requests run in the project that both branches are in. In a fork the source branch has pipelines of
 * its own: its author may not run jobs in the target project.
 */
export const hasOwnPipelines = ({ projectId, sourceProjectId }: MergeRequestFacts): boolean =>
  projectId === sourceProjectId;

/** What variables tell of a merge request. */
export async function variableFactsOf(
  { directory, operations }: Pick<ServicePorts, 'directory' | 'operations'>,
  request: MergeRequestFacts,
  principal: Principal,
): Promise<VariableFacts> {
  const { projectId, iid, id, title, labels, isApproved, sha: sourceSha, startSha: targetSha } = request;
  const asked = { projectId, sourceSha, targetSha, targetBranch: request.targetBranch };
  const [project, users, merge] = await Promise.all([
    directory.project(projectId),
    Promise.all(request.assigneeIds.map((userId) => directory.user(userId))),
    operations.call(describeMerge, { ...asked, divergedCommits: false, changes: false }, { principal }),
  ]);
  const place = { id: projectId, fullPath: project?.fullPath ?? '' };
  return {
    ...{ id, iid, title, isApproved, labels, eventType: 'detached', milestone: null, diffId: null },
    assignees: users.flatMap((user) => (user ? [user.username] : [])),
    refPath: mergeRequestRef(iid),
    source: { branch: request.sourceBranch, sha: sourceSha, project: place },
    target: { branch: request.targetBranch, sha: targetSha, project: place },
    diffBaseSha: 'refused' in merge ? null : merge.baseSha,
  };
}
