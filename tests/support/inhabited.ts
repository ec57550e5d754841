import { createUnique, fillProject } from '../fixtures/all-fixtures.ts';
import type { PathValue } from '../fixtures/fixture.ts';
import { createUser } from './accounts.ts';
import type { Calls } from './calls.ts';

/** What there is on an instance that `inhabit` has filled: numbers and names, as the paths of the API take them. */
export interface Inhabited {
  userId: number;
  /** Nobody else depends on them: to be blocked, changed and deleted. */
  victimId: number;
  groupId: number;
  projectId: number;
  /** To be deleted, archived and renamed. */
  victimProjectId: number;
  victimGroupId: number;
  issueIid: number;
  noteId: number;
  discussionId: string;
  todoId: number;
  tokenId: number;
  /** Further records of the project, by the path parameter that names them. */
  inProject: Readonly<Record<string, PathValue>>;
  auditEventId: number;
  groupAuditEventId: number;
  projectAuditEventId: number;
  blobSha: string;
  commitSha: string;
}

/** A group with a project that has some of everything, made by API calls alone. */
export async function inhabit(calls: Calls): Promise<Inhabited> {
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  const made = async (call: ReturnType<Calls['call']>): Promise<any> => {
    const { status, text, body } = await call;
    if (status >= 300) throw new Error(`${status} ${text}`);
    return body;
  };
  const { post, get, put } = calls;
  const user = await createUser(calls, { username: 'ada', name: 'Ada' });
  const victim = await createUser(calls, { username: 'victim' });
  const group = await made(post('/groups', { name: 'Engines', path: 'engines', visibility: 'public' }));
  const victimGroup = await made(post('/groups', { name: 'Short-lived', path: 'short-lived' }));
  await made(post(`/groups/${group.id}/members`, { user_id: user.id, access_level: 40 }));
  await made(post('/groups', { name: 'Parts', path: 'parts', parent_id: group.id }));
  const given = { name: 'Analytical', namespace_id: group.id, visibility: 'public', topics: ['machines'] };
  const project = await made(post('/projects', given));
  const victimProject = await made(post('/projects', { name: 'Victim', namespace_id: victimGroup.id }));
  const base = `/projects/${project.id}`;
  const commit = await made(
    post(`${base}/repository/commits`, {
      branch: 'main',
      commit_message: 'Describe the engine\n\nChangelog: added',
      actions: [
        { action: 'create', file_path: 'README.md', content: '# Analytical\n' },
        { action: 'create', file_path: 'docs/notes.txt', content: 'Notes\n' },
      ],
    }),
  );
  await made(post(`${base}/repository/tags`, { tag_name: 'v1.0.0', ref: 'main', message: 'First' }));
  await made(post(`${base}/repository/branches`, { branch: 'feature', ref: 'main' }));
  const change = { branch: 'feature', content: '# Engine\n', commit_message: 'Rename' };
  await made(put(`${base}/repository/files/README%2Emd`, change));
  const [blob] = (await made(get(`${base}/repository/tree`))).filter(
    ({ type }: { type: string }) => type === 'blob',
  );
  const content = {
    description: 'It *stops*.',
    labels: 'bug',
    assignee_ids: [user.id],
    due_date: '2030-01-31',
  };
  const issue = await made(post(`${base}/issues`, { title: 'The engine stops', ...content }));
  const at = `${base}/issues/${issue.iid}`;
  const note = await made(post(`${at}/notes`, { body: 'Seen here too' }));
  const discussion = await made(post(`${at}/discussions`, { body: 'Since when?' }));
  await made(post(`${at}/add_spent_time`, { duration: '1h30m' }));
  const todo = await made(post(`${at}/todo`));
  // Names of its own: the examples of events do not depend on what the worker ran before.
  const inProject = await fillProject(
    base,
    { post: (path, body) => made(post(path, body)), put: (path, body) => made(put(path, body)) },
    createUnique(),
  );
  await made(post(`${base}/members`, { user_id: victim.id, access_level: 30 }));
  const token = await made(post(`/users/${user.id}/personal_access_tokens`, { name: 'ci', scopes: ['api'] }));
  const [auditEvent] = await made(get('/audit_events'));
  const [groupAuditEvent] = await made(get(`/groups/${group.id}/audit_events`));
  const [projectAuditEvent] = await made(get(`${base}/audit_events`));
  return {
    userId: user.id,
    victimId: victim.id,
    groupId: group.id,
    projectId: project.id,
    victimProjectId: victimProject.id,
    victimGroupId: victimGroup.id,
    issueIid: issue.iid,
    noteId: note.id,
    discussionId: discussion.id,
    todoId: todo.id,
    tokenId: token.id,
    inProject,
    auditEventId: auditEvent.id,
    groupAuditEventId: groupAuditEvent.id,
    projectAuditEventId: projectAuditEvent.id,
    blobSha: blob.id,
    commitSha: commit.id,
  };
}
