import { randomUUID } from 'node:crypto';
import { mergeIntoBranch } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { MERGE_STARTED } from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import type { CallOptions } from '../support/calls.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { record } from '../support/inhabitants.ts';
import { must } from '../support/must.ts';
import { fill, folderForTest, git, newProject, type TestProject } from '../support/repositories.ts';

let forgelog: Forgelog;
let reviewer: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  reviewer = await createUser(forgelog);
});
afterAll(() => forgelog.stop());

let projects = 0;

/** A project whose branch `main` has one commit; the reviewer is its developer. */
async function project(settings: object = {}): Promise<TestProject> {
  const made = await newProject(forgelog, `merging-${++projects}`);
  await commit(made, 'main', { 'a.txt': 'a\n', 'b.txt': 'b\n' }, 'Begin');
  await must(forgelog.put(`/projects/${made.id}`, { topics: [], ...settings }));
  await must(forgelog.post(`/projects/${made.id}/members`, { user_id: reviewer.id, access_level: 30 }));
  return made;
}

/** Commits files to a branch, which begins at `main` where it is new. @returns the id */
async function commit(
  { at }: TestProject,
  branch: string,
  files: Record<string, string>,
  message = `On ${branch}`,
) {
  const isNew = (await forgelog.get(`${at}/branches/${encodeURIComponent(branch)}`)).status === 404;
  const start = isNew && branch !== 'main' ? { start_branch: 'main' } : {};
  const known = new Set<string>(
    isNew && branch === 'main'
      ? []
      : (await must(forgelog.get(`${at}/tree?ref=${isNew ? 'main' : encodeURIComponent(branch)}`))).map(
          ({ path }: { path: string }) => path,
        ),
  );
  const actions = Object.entries(files).map(([file_path, content]) => ({
    ...{ action: known.has(file_path) ? 'update' : 'create', file_path, content },
  }));
  return (await must(forgelog.post(`${at}/commits`, { branch, ...start, commit_message: message, actions })))
    .id;
}

async function open({ id }: TestProject, source_branch: string, more: object = {}) {
  const given = { source_branch, target_branch: 'main', title: `Merge ${source_branch}`, ...more };
  return must(forgelog.post(`/projects/${id}/merge_requests`, given));
}

const pathOf = ({ id }: TestProject, { iid }: { iid: number }) => `/projects/${id}/merge_requests/${iid}`;
const merge = (of: TestProject, request: { iid: number }, given: object = {}, options?: CallOptions) =>
  forgelog.put(`${pathOf(of, request)}/merge`, given, options);
const commitOf = async ({ at }: TestProject, ref: string) => must(forgelog.get(`${at}/commits/${ref}`));
const eventually = (look: () => Promise<unknown>) => expect.poll(look);

test('a request is reviewed and merged; its branch goes, and the issue that it closes is closed', async () => {
  const of = await project();
  const issue = await must(forgelog.post(`/projects/${of.id}/issues`, { title: 'Broken' }));
  const sha = await commit(of, 'topic', { 'a.txt': 'better\n' });
  const begin = (await commitOf(of, 'main')).id;
  const description = `Closes #${issue.iid}`;
  const request = await open(of, 'topic', { description, remove_source_branch: true });
  expect(request).toMatchObject({
    ...{ sha, merge_status: 'can_be_merged', detailed_merge_status: 'mergeable', changes_count: '1' },
    ...{ diff_refs: { base_sha: begin, head_sha: sha, start_sha: begin }, user: { can_merge: true } },
  });
  const by = { token: reviewer.token };
  expect((await forgelog.post(`${pathOf(of, request)}/approve`, { sha }, by)).status).toBe(201);
  const reply = await merge(of, request, { sha });
  expect(reply).toMatchObject({
    status: 200,
    body: { state: 'merged', sha, merged_by: { id: 1 }, merge_error: null },
  });
  const { merge_commit_sha } = reply.body;
  expect(await commitOf(of, 'main')).toMatchObject({
    ...{ id: merge_commit_sha, parent_ids: [begin, sha], author_name: 'Administrator' },
    message: `Merge branch 'topic' into 'main'\n\nMerge topic\n\nCloses #${issue.iid}\n\nSee merge request ${of.path}!${request.iid}\n`,
  });
  await eventually(async () => (await forgelog.get(`${of.at}/branches/topic`)).status).toBe(404);
  await eventually(
    async () => (await forgelog.get(`/projects/${of.id}/issues/${issue.iid}`)).body.state,
  ).toBe('closed');
  expect((await forgelog.get(pathOf(of, request))).body).toMatchObject({
    sha,
    merge_commit_sha,
    state: 'merged',
  });
  const told = (await forgelog.get(`/projects/${of.id}/events?target_type=merge_request`)).body;
  expect(told.map(({ action_name }: { action_name: string }) => action_name)).toEqual([
    ...['accepted', 'approved', 'opened'],
  ]);
  expect((await merge(of, request)).status).toBe(405);
});

test('a commit tells which requests brought it, and which it would come with', async () => {
  const of = await project({ squash_option: 'default_off' });
  const begin = (await commitOf(of, 'main')).id;
  const first = await commit(of, 'topic', { 'c.txt': 'c\n' });
  const second = await commit(of, 'topic', { 'd.txt': 'd\n' });
  const request = await open(of, 'topic');
  const squashed = await commit(of, 'squashed', { 'e.txt': 'e\n' });
  const other = await open(of, 'squashed', { squash: true });
  const requestsOf = async (sha: string, query = '') =>
    (await must(forgelog.get(`${of.at}/commits/${sha}/merge_requests${query}`))).map(
      ({ iid, state }: { iid: number; state: string }) => `${iid} ${state}`,
    );
  expect(await requestsOf(begin)).toEqual([]);
  expect(await requestsOf(first)).toEqual([`${request.iid} opened`]);
  expect(await requestsOf('topic')).toEqual([`${request.iid} opened`]);
  const { merge_commit_sha } = (await merge(of, request)).body;
  const { squash_commit_sha } = (await merge(of, other)).body;
  // A branch that begins after the merge holds these commits too, and brings none of them.
  const last = await commit(of, 'late', { 'f.txt': 'f\n' });
  const late = await open(of, 'late');
  for (const sha of [first, second.slice(0, 8), merge_commit_sha])
    expect(await requestsOf(sha)).toEqual([`${request.iid} merged`]);
  for (const sha of [squashed, squash_commit_sha])
    expect(await requestsOf(sha)).toEqual([`${other.iid} merged`]);
  // A closed request whose branch is gone is still told of.
  await must(forgelog.delete(`${of.at}/branches/late`));
  await must(forgelog.put(`/projects/${of.id}/merge_requests/${late.iid}`, { state_event: 'close' }));
  expect(await requestsOf(last)).toEqual([`${late.iid} closed`]);
  await open(of, 'topic', { target_branch: 'squashed' });
  expect(await requestsOf(first, '?per_page=1')).toEqual([`${late.iid + 1} opened`]);
  expect(await requestsOf(first, '?per_page=1&page=2')).toEqual([`${request.iid} merged`]);
  const missing = await forgelog.get(`${of.at}/commits/${'f'.repeat(40)}/merge_requests`);
  expect(missing).toMatchObject({ status: 404, body: { message: '404 Commit Not Found' } });
});

test.each([
  ['merge', false, { parents: 2 }],
  ['merge', true, { parents: 2, squashed: true }],
  ['rebase_merge', false, { parents: 2 }],
  ['ff', false, { parents: 1 }],
  ['ff', true, { parents: 1, squashed: true }],
])('by %s, squashed: %s', async (merge_method, squash, wanted: { parents: number; squashed?: boolean }) => {
  const of = await project({ merge_method });
  await commit(of, 'topic', { 'c.txt': 'c\n' }, 'First');
  const sha = await commit(of, 'topic', { 'd.txt': 'd\n' }, 'Second');
  const request = await open(of, 'topic', { squash });
  const { status, body } = await merge(of, request, { squash_commit_message: 'Both' });
  expect(status).toBe(200);
  const tip = await commitOf(of, 'main');
  expect(tip.parent_ids).toHaveLength(wanted.parents);
  expect(body.merge_commit_sha).toBe(wanted.parents === 2 ? tip.id : null);
  expect(body.squash_commit_sha === null).toBe(!wanted.squashed);
  if (wanted.squashed) expect((await commitOf(of, body.squash_commit_sha)).message.trim()).toBe('Both');
  if (wanted.parents === 1) expect(tip.id).toBe(wanted.squashed ? body.squash_commit_sha : sha);
});

test('what the merge was asked to squash is kept, and the option of the project decides', async () => {
  const asked = await project();
  await commit(asked, 'topic', { 'c.txt': 'c\n' });
  const request = await open(asked, 'topic', {});
  expect(request.squash).toBe(false);
  const { body } = await merge(asked, request, { squash: true });
  expect([body.squash, typeof body.squash_commit_sha]).toEqual([true, 'string']);
  expect((await must(forgelog.get(pathOf(asked, request)))).squash).toBe(true);

  const never = await project({ squash_option: 'never' });
  await commit(never, 'topic', { 'c.txt': 'c\n' });
  const other = await merge(never, await open(never, 'topic', {}), { squash: true });
  expect([other.body.state, other.body.squash, other.body.squash_commit_sha]).toEqual([
    'merged',
    false,
    null,
  ]);
});

test('what cannot be merged says why, and nothing happens', async () => {
  const of = await project();
  const begin = (await commitOf(of, 'main')).id;
  const sha = await commit(of, 'topic', { 'a.txt': 'topic\n' });
  const draft = await open(of, 'topic', { title: 'Draft: not yet' });
  expect(await merge(of, draft)).toMatchObject({ status: 405, body: { message: '405 Method Not Allowed' } });
  await must(forgelog.put(pathOf(of, draft), { title: 'Ready' }));
  await must(
    forgelog.post(`/projects/${of.id}/protected_branches`, { name: 'main', merge_access_level: 40 }),
  );
  expect(await merge(of, draft, {}, { token: reviewer.token })).toMatchObject({
    ...{ status: 401, body: { message: '401 Unauthorized' } },
  });
  expect(await merge(of, draft, { sha: begin })).toMatchObject({
    status: 409,
    body: { message: `SHA does not match HEAD of source branch: ${sha}` },
  });
  await commit(of, 'main', { 'a.txt': 'main\n' });
  const shown = (await forgelog.get(pathOf(of, draft))).body;
  expect(shown).toMatchObject({ merge_status: 'cannot_be_merged', has_conflicts: true });
  expect(await merge(of, draft)).toMatchObject({ status: 406, body: { message: 'Branch cannot be merged' } });
  await must(forgelog.put(pathOf(of, draft), { state_event: 'close' }));
  expect((await merge(of, draft)).status).toBe(405);
  const { store } = forgelog.system;
  const types = (await store.readStream(`mergeRequest-${of.id}-${draft.iid}`)).map(({ type }) => type);
  expect(types).not.toContain('MergeRequestMergeStarted');
});

test('a project may have merges wait until all discussions are resolved', async () => {
  const of = await project({ only_allow_merge_if_all_discussions_are_resolved: true });
  await commit(of, 'topic', { 'c.txt': 'c\n' });
  const request = await open(of, 'topic');
  const at = `${pathOf(of, request)}/discussions`;
  const thread = await must(forgelog.post(at, { body: 'Why?' }));
  const blocked = (await forgelog.get(pathOf(of, request))).body;
  expect(blocked).toMatchObject({
    ...{ detailed_merge_status: 'discussions_not_resolved', blocking_discussions_resolved: false },
  });
  expect((await merge(of, request)).status).toBe(405);
  await must(forgelog.put(`${at}/${thread.id}`, { resolved: true }));
  expect((await merge(of, request)).status).toBe(200);
});

test('a project may have merges wait for the pipeline of the newest commit', async () => {
  const made = await project({ only_allow_merge_if_pipeline_succeeds: true });
  const sha = await commit(made, 'topic', { 'c.txt': 'c' });
  const { iid } = await open(made, 'topic');
  const at = `/projects/${made.id}/merge_requests/${iid}`;
  const shown = () => must(forgelog.get(at));
  expect(await shown()).toMatchObject({ detailed_merge_status: 'ci_must_pass', head_pipeline: null });
  expect((await forgelog.put(`${at}/merge`)).status).toBe(405);
  const report = (state: string) =>
    must(forgelog.post(`/projects/${made.id}/statuses/${sha}`, { state, ref: 'topic' }));
  await report('running');
  expect(await shown()).toMatchObject({ head_pipeline: { status: 'running', sha }, pipeline: { sha } });
  expect((await forgelog.put(`${at}/merge`)).status).toBe(405);
  await report('success');
  expect(await shown()).toMatchObject({ detailed_merge_status: 'mergeable' });
  expect(await must(forgelog.put(`${at}/merge`))).toMatchObject({ state: 'merged' });
});

test('a request that is behind is rebased, and then merged fast-forward', async () => {
  const of = await project({ merge_method: 'ff' });
  const sha = await commit(of, 'topic', { 'c.txt': 'c\n' });
  const request = await open(of, 'topic');
  const ahead = await commit(of, 'main', { 'b.txt': 'other\n' });
  expect((await forgelog.get(pathOf(of, request))).body.detailed_merge_status).toBe('need_rebase');
  expect((await merge(of, request)).status).toBe(406);
  expect(await forgelog.put(`${pathOf(of, request)}/rebase`)).toMatchObject({
    ...{ status: 202, body: { rebase_in_progress: true } },
  });
  const now = (await forgelog.get(`${pathOf(of, request)}?include_diverged_commits_count=true`)).body;
  expect(now).toMatchObject({ detailed_merge_status: 'mergeable', diverged_commits_count: 0 });
  expect(now.sha).not.toBe(sha);
  expect((await commitOf(of, now.sha)).parent_ids).toEqual([ahead]);
  expect((await merge(of, request)).body).toMatchObject({ state: 'merged', merge_commit_sha: null });
  expect((await commitOf(of, 'main')).id).toBe(now.sha);
});

test('a request shows its commits, what they change, and each state that was there to be reviewed', async () => {
  const of = await project();
  const begin = (await commitOf(of, 'main')).id;
  const first = await commit(of, 'topic', { 'a.txt': 'better\n' }, 'First');
  const request = await open(of, 'topic', { description: 'Closes #1' });
  const second = await commit(of, 'topic', { 'c.txt': 'c\n' }, 'Second');
  const ahead = await commit(of, 'main', { 'b.txt': 'other\n' });
  const third = await commit(of, 'topic', { 'c.txt': 'cc\n' }, 'Third');
  const at = pathOf(of, request);
  const get = async (path: string) => must(forgelog.get(`${at}${path}`));
  const ids = (commits: { id: string }[]) => commits.map(({ id }) => id);
  expect(await get('/versions')).toMatchObject([
    { id: 3, head_commit_sha: third, start_commit_sha: ahead, base_commit_sha: begin, real_size: '2' },
    { id: 2, head_commit_sha: second, start_commit_sha: begin, base_commit_sha: begin, real_size: '2' },
    { id: 1, head_commit_sha: first, start_commit_sha: begin, base_commit_sha: begin, real_size: '1' },
  ]);
  const version = await get('/versions/1');
  expect(ids(version.commits)).toEqual([first]);
  expect(version.diffs).toMatchObject([{ new_path: 'a.txt', diff: '@@ -1 +1 @@\n-a\n+better\n' }]);
  expect((await forgelog.get(`${at}/versions/4`)).status).toBe(404);
  expect(ids(await get('/commits'))).toEqual([third, second, first]);
  expect(ids(await get('/commits?per_page=2&page=2'))).toEqual([first]);
  const changes = await get('/changes');
  expect(changes).toMatchObject({ sha: third, changes_count: '2', overflow: false });
  const oracle = git(of.gitDir, 'diff-tree', '-r', '--name-only', begin, third).split('\n');
  expect(changes.changes.map(({ new_path }: { new_path: string }) => new_path)).toEqual(oracle);
  expect(await get('/diffs')).toEqual(changes.changes);
  expect(await get('/diffs?per_page=1&page=2')).toMatchObject([{ new_path: 'c.txt', new_file: true }]);
  await must(forgelog.post(`${at}/notes`, { body: 'Good' }, { token: reviewer.token }));
  expect(ids(await get('/participants'))).toEqual([1, reviewer.id]);
});

test('a request and the issues that it names find each other, for those who may read both', async () => {
  const of = await project();
  const other = await project();
  const issue = await must(forgelog.post(`/projects/${of.id}/issues`, { title: 'Broken' }));
  await commit(of, 'topic', { 'c.txt': 'c\n' }, `Fix it\n\nFixes #${issue.iid}`);
  await commit(other, 'topic', { 'c.txt': 'c\n' });
  const closing = await open(of, 'topic', { description: `Closes #${issue.iid}` });
  await open(other, 'topic', { description: `See ${of.path}#${issue.iid}` });
  const at = `/projects/${of.id}/issues/${issue.iid}`;
  const titles = async (path: string, options?: CallOptions) =>
    (await must(forgelog.get(`${at}${path}`, options))).map(
      ({ references }: { references: { full: string } }) => references.full,
    );
  expect(await titles('/related_merge_requests')).toEqual([`${other.path}!1`, `${of.path}!1`]);
  expect(await titles('/closed_by')).toEqual([`${of.path}!1`]);
  expect(await must(forgelog.get(`${pathOf(of, closing)}/closes_issues`))).toMatchObject([
    { iid: issue.iid },
  ]);
  await must(forgelog.delete(`/projects/${other.id}/members/${reviewer.id}`));
  expect(await titles('/related_merge_requests', { token: reviewer.token })).toEqual([`${of.path}!1`]);
});

test('the merge ref names what merging would give', async () => {
  const of = await project();
  const sha = await commit(of, 'topic', { 'c.txt': 'c\n' });
  const request = await open(of, 'topic');
  const ref = (await must(forgelog.get(`${pathOf(of, request)}/merge_ref`))).commit_id;
  expect((await commitOf(of, ref)).parent_ids[1]).toBe(sha);
  await commit(of, 'topic', { 'a.txt': 'topic\n' });
  await commit(of, 'main', { 'a.txt': 'main\n' });
  expect(await forgelog.get(`${pathOf(of, request)}/merge_ref`)).toMatchObject({
    ...{ status: 400, body: { message: 'Merge request is not mergeable' } },
  });
});

test('of many requests merged into one branch at once, none is lost and none merged twice', async () => {
  const of = await project();
  const branches = Array.from({ length: 6 }, (_, at) => `topic-${at}`);
  const requests = [];
  for (const [at, branch] of branches.entries()) {
    // Two of them change the same line.
    const name = at === 5 ? 'file-4.txt' : `file-${at}.txt`;
    const sha = await commit(of, branch, { [name]: `${branch}\n` });
    requests.push({ ...(await open(of, branch)), sha, name });
  }
  const replies = await Promise.all([...requests, ...requests].map((request) => merge(of, request)));
  const merged = replies.filter(({ status }) => status === 200).map(({ body }) => body.iid);
  expect(new Set(merged).size).toBe(merged.length);
  expect(merged).toHaveLength(5);
  expect(replies.map(({ status }) => status).filter((status) => ![200, 405, 406].includes(status))).toEqual(
    [],
  );
  const history = git(of.gitDir, 'log', '--first-parent', '--format=%P', 'main').split('\n');
  const heads = history.map((parents) => parents.split(' ')[1]).filter(Boolean);
  for (const { iid, sha } of requests)
    expect(heads.filter((head) => head === sha)).toHaveLength(merged.includes(iid) ? 1 : 0);
  for (const request of requests) {
    const { state } = (await forgelog.get(pathOf(of, request))).body;
    expect(state).toBe(merged.includes(request.iid) ? 'merged' : 'opened');
  }
});

test.each(['its start', 'the move of the branch', 'the move of the branch, its user being blocked'])(
  'a merge whose process is killed after %s happens once',
  async (moment) => {
    const of = await project();
    const sha = await commit(of, 'topic', { 'c.txt': 'c\n' });
    const request = await open(of, 'topic');
    const user = await createUser(forgelog);
    await must(forgelog.post(`/projects/${of.id}/members`, { user_id: user.id, access_level: 40 }));
    const mergeId = randomUUID();
    const given = { projectId: of.id, iid: request.iid, sha, squash: false };
    const messages = { mergeMessage: 'Merged', squashMessage: 'Squashed' };
    if (moment !== 'its start') {
      const principal = {
        ...{ userId: user.id, username: user.username, name: user.username, email: user.email },
        ...{ isAdmin: false, external: false, scopes: ['api'], onBehalfBy: null },
        credential: { kind: 'personal_access_token', id: 1 },
      };
      const branches = { sourceProjectId: of.id, sourceBranch: 'topic', targetBranch: 'main' };
      await forgelog
        .portsOf('tracker')
        .operations.call(
          mergeIntoBranch,
          { ...given, ...branches, ...messages, squashAuthorId: 1 },
          { principal: principal as never, operationId: mergeId, metadata: SYSTEM_METADATA },
        );
    }
    if (moment.endsWith('blocked')) await must(forgelog.post(`/users/${user.id}/block`));
    await record(forgelog, `mergeRequest-${of.id}-${request.iid}`, user.id, {
      type: 'MergeRequestMergeStarted',
      data: {
        ...{ mergeRequestId: request.id, ...given, mergeId, userId: user.id },
        ...{ removeSourceBranch: false, ...messages, ...MERGE_STARTED },
      },
    });
    await eventually(async () => (await forgelog.get(pathOf(of, request))).body.state).toBe('merged');
    const tip = await commitOf(of, 'main');
    expect(tip).toMatchObject({ message: 'Merged\n', parent_ids: [expect.any(String), sha] });
    expect((await forgelog.get(pathOf(of, request))).body.merge_commit_sha).toBe(tip.id);
    expect(git(of.gitDir, 'rev-list', '--count', '--merges', 'main')).toBe('1');
  },
);

test('a push of its commits into the target merges it, and an empty request stays open', async () => {
  const of = await project();
  const sha = await commit(of, 'topic', { 'c.txt': 'c\n' });
  await must(forgelog.post(`${of.at}/branches`, { branch: 'empty', ref: 'main' }));
  const [request, empty] = [await open(of, 'topic'), await open(of, 'empty')];
  const folder = folderForTest();
  git(folder, 'fetch', '-q', of.gitDir, 'main:main2', 'topic:topic');
  git(folder, 'checkout', '-q', 'main2');
  git(folder, 'merge', '-q', '--no-ff', '-m', 'By hand', 'topic');
  git(folder, 'branch', '-f', 'main', 'main2');
  git(folder, 'checkout', '-q', 'main');
  git(folder, 'branch', '-D', 'main2');
  await fill(forgelog, of, folder);
  await eventually(async () => (await forgelog.get(pathOf(of, request))).body).toMatchObject({
    ...{ state: 'merged', sha, merged_by: { id: 1 }, merge_commit_sha: null },
  });
  expect((await forgelog.get(pathOf(of, empty))).body.state).toBe('opened');
});

test('a request of a fork is opened by whoever has it, follows it, and is merged by the project', async () => {
  const of = await project({ visibility: 'public' });
  const by = { token: reviewer.token };
  await must(forgelog.delete(`/projects/${of.id}/members/${reviewer.id}`));
  const { id, path_with_namespace: path } = await must(forgelog.post(`/projects/${of.id}/fork`, {}, by));
  const change = async (content: string, start = {}) => {
    const actions = [
      { action: start === undefined ? 'update' : 'create', file_path: `${content}.txt`, content },
    ];
    const given = { branch: 'topic', commit_message: content, actions, ...start };
    return (await must(forgelog.post(`/projects/${id}/repository/commits`, given, by))).id;
  };
  await change('one', { start_branch: 'main' });
  const given = {
    source_branch: 'topic',
    target_branch: 'main',
    title: 'From a fork',
    target_project_id: of.id,
  };
  // Labels are for members.
  const request = await must(forgelog.post(`/projects/${id}/merge_requests`, { ...given, labels: 'a' }, by));
  expect(request).toMatchObject({
    ...{ project_id: of.id, source_project_id: id, target_project_id: of.id, labels: [], iid: 1 },
    ...{ merge_status: 'can_be_merged', first_contribution: true, user: { can_merge: false } },
  });
  const sha = await change('two');
  const [listed] = await must(forgelog.get(`/projects/${of.id}/merge_requests`));
  expect(listed).toMatchObject({ sha, merge_status: 'can_be_merged' });
  expect(await must(forgelog.get(`${pathOf(of, request)}/commits`))).toHaveLength(2);
  expect((await merge(of, request, {}, by)).status).toBe(401);
  const merged = await merge(of, request, { sha });
  expect(merged.status).toBe(200);
  const tip = await commitOf(of, 'main');
  expect(tip.parent_ids[1]).toBe(sha);
  expect(tip.title).toBe(`Merge branch '${path}:topic' into 'main'`);
});
