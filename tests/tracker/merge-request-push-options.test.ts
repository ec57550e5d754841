import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { commitAll, fill, folderForTest, git, newProject } from '../support/repositories.ts';
import { addressOf, git as remote } from '../support/stock-git.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

let projects = 0;

/** A project and a clone of it; `push` pushes a new commit of a branch with options. */
async function cloned(as: { name: string; secret: string } = { name: 'root', secret: forgelog.rootToken }) {
  const project = await newProject(forgelog, `pushed-requests-${++projects}`);
  const folder = folderForTest();
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  commitAll(folder, 'Begin');
  await fill(forgelog, project, folder);
  const at = `/projects/${project.id}/merge_requests`;
  let commits = 0;
  return {
    project,
    list: async () => (await forgelog.get(`${at}?sort=asc`)).body,
    async push(branch: string, ...options: string[]): Promise<string> {
      git(folder, 'checkout', '-q', '-B', branch);
      writeFileSync(join(folder, `${branch}.txt`), `${++commits}\n`);
      const sha = commitAll(folder, `Change ${commits}\n\nBecause.`);
      const address = addressOf(forgelog, project.path, as);
      await remote(folder, 'push', '-q', ...options.flatMap((option) => ['-o', option]), address, branch);
      return sha;
    },
  };
}

const eventually = (look: () => Promise<unknown>) => expect.poll(look);

test('a push opens a merge request of its branch into the default branch', async () => {
  const { push, list } = await cloned();
  const sha = await push('topic', 'merge_request.create');
  await eventually(list).toMatchObject([
    {
      sha,
      source_branch: 'topic',
      target_branch: 'main',
      title: 'Change 1',
      author: { id: 1 },
      draft: false,
    },
  ]);
});

test('its options say what it is, and later pushes change it and open no other', async () => {
  const { push, list, project } = await cloned();
  const user = await createUser(forgelog);
  await forgelog.post(`/projects/${project.id}/members`, { user_id: user.id, access_level: 30 });
  await push('stable');
  await push(
    'topic',
    ...['merge_request.create', 'merge_request.target=stable', 'merge_request.title=The title'],
    ...['merge_request.description=One\\nTwo', 'merge_request.label=a', 'merge_request.label=b'],
    ...['merge_request.remove_source_branch', 'merge_request.draft', `merge_request.assign=${user.username}`],
  );
  await eventually(list).toMatchObject([
    {
      ...{ target_branch: 'stable', title: 'Draft: The title', description: 'One\nTwo', labels: ['a', 'b'] },
      ...{ force_remove_source_branch: true, draft: true, assignees: [{ id: user.id }] },
    },
  ]);
  const change = ['merge_request.create', 'merge_request.title=Ready', 'merge_request.unlabel=a'];
  const sha = await push('topic', ...change, 'merge_request.label=c', 'merge_request.target=stable');
  await eventually(list).toMatchObject([{ sha, title: 'Ready', labels: ['b', 'c'], draft: false }]);
  await push('other', 'merge_request.title=Nothing is opened by this');
  await push('main', 'merge_request.create');
  const last = await push('topic');
  await eventually(list).toMatchObject([{ sha: last, title: 'Ready' }]);
  expect(await list()).toHaveLength(1);
});

test('a push may have its merge request merged when the pipeline of its commit succeeds', async () => {
  const { push, list, project } = await cloned();
  const later = 'merge_request.merge_when_pipeline_succeeds';
  const first = await push('topic', 'merge_request.create', later);
  const waits = { state: 'opened', merge_when_pipeline_succeeds: true, merge_user: { id: 1 } };
  await eventually(list).toMatchObject([{ sha: first, ...waits }]);
  // A push without it is another commit, for which nobody has said so.
  const second = await push('topic');
  await eventually(list).toMatchObject([{ sha: second, merge_when_pipeline_succeeds: false }]);
  const third = await push('topic', later);
  await eventually(list).toMatchObject([{ sha: third, ...waits }]);
  for (const sha of [first, second, third])
    await forgelog.post(`/projects/${project.id}/statuses/${sha}`, { state: 'success', ref: 'topic' });
  await eventually(list).toMatchObject([{ sha: third, state: 'merged' }]);
});
