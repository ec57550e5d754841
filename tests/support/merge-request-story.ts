import { createUser } from './accounts.ts';
import type { Calls } from './calls.ts';

/** What happens to merge requests of a project with the branches `main` and `feature`. */
export async function tellMergeRequests(calls: Calls, project: string): Promise<void> {
  const { post, put, delete: remove } = calls;
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
  await put(at, { state_event: 'close' });
  await put(at, { state_event: 'reopen' });
  await remove(at);
}
