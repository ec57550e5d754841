import { MERGE_STARTED } from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import {
  mergeRequestDecider,
  mergeRequestStream,
} from '@forgelog/tracker/merge-requests/merge-request.decider.ts';
import { createUser } from './accounts.ts';
import type { Calls } from './calls.ts';
import type { Forgelog } from './forgelog.ts';
import { record } from './inhabitants.ts';

/** What happens to merge requests of a project with the branches `main` and `feature`. */
export async function tellMergeRequests(forgelog: Forgelog, calls: Calls, projectId: number): Promise<void> {
  const { post, put, get, delete: remove } = calls;
  const project = `/projects/${projectId}`;
  const branches = { source_branch: 'feature', target_branch: 'main' };
  const content = { title: 'Draft: Rename the engine', description: 'Closes #1', labels: 'bug' };
  const { body: request } = await post(`${project}/merge_requests`, {
    ...branches,
    ...content,
    squash: true,
  });
  const at = `${project}/merge_requests/${request.iid}`;
  const { body: thread } = await post(`${at}/discussions`, { body: 'Does this hold at night?' });
  await put(`${at}/discussions/${thread.id}`, { resolved: true });
  await put(`${at}/discussions/${thread.id}`, { resolved: false });
  await put(at, { title: 'Rename the engine', labels: 'bug,docs' });
  await post(`${at}/time_estimate`, { duration: '2h' });
  await post(`${at}/add_spent_time`, { duration: '45m', summary: 'Read it' });
  await post(`${at}/reset_spent_time`);
  const approver = await createUser(calls, { username: 'grace', name: 'Grace' });
  await post(`${project}/members`, { user_id: approver.id, access_level: 30 });
  await post(`${at}/approve`, { sha: request.sha }, { token: approver.token });
  await post(`${at}/unapprove`, {}, { token: approver.token });
  await tellApprovalRules(calls, project, { at, approver });
  await put(at, { state_event: 'close' });
  await put(at, { state_event: 'reopen' });
  await remove(at);
  const mergeable = { ...branches, title: 'Rename it', remove_source_branch: true };
  const { body: merged } = await post(`${project}/merge_requests`, mergeable);
  const mergedAt = `${project}/merge_requests/${merged.iid}`;
  const wanted = { sha: merged.sha, squash: true, removeSourceBranch: true };
  await mergeLater(forgelog, { projectId, iid: merged.iid, ...wanted });
  await post(`${mergedAt}/cancel_merge_when_pipeline_succeeds`);
  const stream = `mergeRequest-${projectId}-${merged.iid}`;
  await record(forgelog, stream, 3, overtakenMerge(projectId, merged));
  await get(mergedAt);
  await put(`${mergedAt}/merge`, { squash: true });
}

/** Rules of the project and of one merge request, and an approval that a push ends. */
async function tellApprovalRules(
  { post, put, delete: remove }: Calls,
  project: string,
  { at, approver }: { at: string; approver: { id: number; token: string } },
): Promise<void> {
  const rule = { name: 'Security', approvals_required: 1, user_ids: [approver.id] };
  const { body: ofProject } = await post(`${project}/approval_rules`, rule);
  await put(`${project}/approval_rules/${ofProject.id}`, { name: 'Safety', approvals_required: 2 });
  await post(`${at}/approvals`, { approvals_required: 3 });
  await post(`${at}/approve`, {}, { token: approver.token });
  await post(`${project}/repository/files/night.txt`, {
    ...{ branch: 'feature', content: 'It runs at night', commit_message: 'Say when it runs' },
  });
  await remove(`${project}/approval_rules/${ofProject.id}`);
}

/** As a call does while the pipeline runs; the story has none of this commit. */
const mergeLater = (
  { system }: Forgelog,
  merge: { projectId: number; iid: number; sha: string; squash: boolean; removeSourceBranch: boolean },
) =>
  system.ports.commands.handle(
    mergeRequestDecider,
    mergeRequestStream(merge.projectId, merge.iid),
    {
      ...{ type: 'SetAutoMerge', mergeId: '01932c5e-7f0a-4cc0-9d0e-3c1f7d2f9a11', userId: 1, ...merge },
      ...{ mergeMessage: 'Merge it', squashMessage: null },
    },
    { ...SYSTEM_METADATA, actorId: 1 },
  );

/** A merge of a commit that its source branch has not got any more, begun by a process that was killed then. */
const overtakenMerge = (projectId: number, { id, iid }: { id: number; iid: number }) => ({
  type: 'MergeRequestMergeStarted',
  data: {
    ...{ mergeRequestId: id, projectId, iid, mergeId: '01932c5e-7f0a-4cc0-9d0e-3c1f7d2f9a10', userId: 1 },
    ...{ sha: '1f0c2d3e4b5a69788796a5b4c3d2e1f00f1e2d3c', squash: false, removeSourceBranch: false },
    ...{ mergeMessage: 'Merge it', squashMessage: 'Squash it', ...MERGE_STARTED },
  },
});
