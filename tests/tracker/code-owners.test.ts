import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { commitAll, folderForTest, git, newProject, type TestProject } from '../support/repositories.ts';
import { addressOf, tryGit } from '../support/stock-git.ts';

let forgelog: Forgelog;
let ada: TestUser;
let grace: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  [ada, grace] = [await createUser(forgelog), await createUser(forgelog)];
});
afterAll(() => forgelog.stop());

let projects = 0;

const commit = (
  { at }: TestProject,
  branch: string,
  files: Record<string, string>,
  options: object = {},
  user?: TestUser,
) => {
  const actions = Object.entries(files).map(([file_path, content]) => ({
    ...{ action: 'create', file_path, content },
  }));
  return forgelog.post(`${at}/commits`, { branch, commit_message: 'Change', actions, ...options }, user);
};

/** A project whose branch `main` asks code owners; ada and grace are its developers. */
async function owned(codeOwners: string, protection: object = {}) {
  const project = await newProject(forgelog, `owned-${++projects}`);
  const at = `/projects/${project.id}`;
  await must(commit(project, 'main', { '.gitlab/CODEOWNERS': codeOwners, 'a.txt': 'a\n' }));
  for (const user of [ada, grace])
    await must(forgelog.post(`${at}/members`, { user_id: user.id, access_level: 30 }));
  const given = { name: 'main', push_access_level: 30, merge_access_level: 30 };
  await must(
    forgelog.post(`${at}/protected_branches`, {
      ...given,
      code_owner_approval_required: true,
      ...protection,
    }),
  );
  async function request(branch: string, files: Record<string, string>) {
    await must(commit(project, branch, files, { start_branch: 'main' }));
    const branches = { source_branch: branch, target_branch: 'main' };
    const { iid } = await must(forgelog.post(`${at}/merge_requests`, { ...branches, title: branch }));
    return `${at}/merge_requests/${iid}`;
  }
  return { project, at, request };
}

test('a merge waits for the owners of each line that owns what it changes', async () => {
  const file = `*.sql @${ada.username}\n[Docs]\n/docs/ ${grace.email}\n^[Style]\n*.css @${grace.username}\n`;
  const { request } = await owned(file);
  const topic = await request('topic', { 'db/a.sql': 'x', 'docs/a.md': 'x', 'a.css': 'x', 'b.txt': 'x' });
  const { rules } = await must(forgelog.get(`${topic}/approval_state`));
  expect(rules).toMatchObject([
    {
      ...{ id: null, name: '*.css', section: 'Style', approvals_required: 0, approved: true },
      eligible_approvers: [{ id: grace.id }],
    },
    {
      ...{ name: '*.sql', section: 'codeowners', rule_type: 'code_owner', code_owner: true },
      ...{ approvals_required: 1, approved: false, eligible_approvers: [{ id: ada.id }] },
    },
    {
      ...{ name: '/docs/', section: 'Docs', approvals_required: 1, approved: false },
      eligible_approvers: [{ id: grace.id }],
    },
  ]);
  await must(forgelog.post(`${topic}/approve`, {}, grace));
  expect((await forgelog.put(`${topic}/merge`)).status).toBe(405);
  expect(await must(forgelog.get(`${topic}/approvals`))).toMatchObject({
    approval_rules_left: [{ id: null, name: '*.sql', rule_type: 'code_owner' }],
  });
  await must(forgelog.post(`${topic}/approve`, {}, ada));
  expect(await must(forgelog.put(`${topic}/merge`))).toMatchObject({ state: 'merged' });
});

test('a merge of what nobody owns waits for nobody, and the file of the target counts', async () => {
  const { request } = await owned(`/docs/ @${ada.username}\n`);
  const plain = await request('plain', { 'b.txt': 'x' });
  expect(await must(forgelog.get(`${plain}/approval_state`))).toMatchObject({ rules: [] });
  await must(forgelog.put(`${plain}/merge`));
  // The branch would take the owner away.
  const sly = await request('sly', { CODEOWNERS: '/docs/\n', 'docs/a.md': 'x' });
  expect((await forgelog.put(`${sly}/merge`)).status).toBe(405);
});

test('owners only suggest where the branch does not ask for them', async () => {
  const { request } = await owned(`* @${ada.username}\n`, { code_owner_approval_required: false });
  const topic = await request('topic', { 'b.txt': 'x' });
  expect(await must(forgelog.get(`${topic}/approval_state`))).toMatchObject({
    rules: [{ name: '*', approvals_required: 0, approved: true }],
  });
  await must(forgelog.put(`${topic}/merge`));
});

test('a section asks for as many approvals as its heading says', async () => {
  const { request } = await owned(`[Two][2] @${ada.username} @${grace.username}\n*\n`);
  const topic = await request('topic', { 'b.txt': 'x' });
  await must(forgelog.post(`${topic}/approve`, {}, ada));
  expect(await must(forgelog.get(`${topic}/approvals`))).toMatchObject({
    approvals_required: 2,
    approvals_left: 1,
  });
});

test('what is owned is pushed to such a branch by nobody but those whom the branch names', async () => {
  const named = { allowed_to_push: [{ user_id: grace.id }] };
  const { project, at } = await owned(`/docs/ @${ada.username}\n`, named);
  expect((await commit(project, 'main', { 'b.txt': 'x' }, {}, ada)).status).toBe(201);
  for (const user of [ada, undefined]) {
    const refused = await commit(project, 'main', { 'docs/a.md': 'x' }, {}, user);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('- /docs/')]);
  }
  expect((await commit(project, 'side', { 'docs/a.md': 'x' }, { start_branch: 'main' }, ada)).status).toBe(
    201,
  );
  expect((await commit(project, 'main', { 'docs/b.md': 'x' }, {}, grace)).status).toBe(201);
  expect((await must(forgelog.get(`${at}/repository/tree?path=docs&ref=main`))).length).toBe(1);
});

test('git is refused the same, and told why', async () => {
  const { project } = await owned(`*.md @${ada.username}\n`);
  const folder = folderForTest();
  git(folder, 'fetch', '-q', project.gitDir, 'main');
  git(folder, 'reset', '-q', '--hard', 'FETCH_HEAD');
  const address = addressOf(forgelog, project.path, { name: 'root', secret: forgelog.rootToken });
  commitAll(folder, 'Nothing');
  expect(await tryGit(folder, 'push', address, 'main')).toMatchObject({ code: 0 });
  git(folder, 'mv', 'a.txt', 'a.md');
  commitAll(folder, 'Rename');
  const refused = await tryGit(folder, 'push', address, 'main');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be pushed to 'main'") });
  expect(refused.stderr).toContain('- *.md');
  expect(await tryGit(folder, 'push', address, 'main:topic')).toMatchObject({ code: 0 });
});
