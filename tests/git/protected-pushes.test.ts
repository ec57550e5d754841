import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { addressOf, commit, git, projectToPush, tryGit } from '../support/stock-git.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const PUSH = 'You are not allowed to push code to protected branches on this project.';
const CREATE = 'You are not allowed to create protected branches on this project.';
const FORCE = 'You are not allowed to force push code to a protected branch on this project.';
const DELETE = 'You are not allowed to delete protected branches from this project.';

type Project = Awaited<ReturnType<typeof projectToPush>>;

async function memberOf(project: Project, level: number) {
  const user = await createUser(forgelog);
  await forgelog.post(`/projects/${project.id}/members`, { user_id: user.id, access_level: level });
  const address = addressOf(forgelog, project.path, { name: user.username, secret: user.token });
  return { ...user, address };
}

const protect = async (project: Project, rule: object) => {
  const { status, text } = await forgelog.post(`/projects/${project.id}/protected_branches`, rule);
  if (status !== 201) throw new Error(text);
};

async function pushedProject() {
  const project = await projectToPush(forgelog);
  const first = await git(project.folder, 'rev-parse', 'HEAD');
  await commit(project.folder, 'Second');
  await git(project.folder, 'push', 'origin', 'main', 'main:release/1');
  return { project, first };
}

test('git is told why a wildcard refuses to create, push, force-push and delete', async () => {
  const { project, first } = await pushedProject();
  await protect(project, { name: 'release/*' });
  const developer = await memberOf(project, 30);
  const maintainer = await memberOf(project, 40);
  await commit(project.folder, 'Third');
  const push = async (address: string, ...refs: string[]) =>
    (await tryGit(project.folder, 'push', address, ...refs)).stderr;
  expect(await push(developer.address, 'main:release/2')).toContain(CREATE);
  expect(await push(developer.address, 'main:release/1')).toContain(PUSH);
  expect(await push(developer.address, 'main:unprotected/1')).toContain('[new branch]');
  expect(await push(maintainer.address, 'main:release/2', 'main:release/1')).toContain('[new branch]');
  expect(await push(maintainer.address, `+${first}:release/1`)).toContain(FORCE);
  expect(await push(maintainer.address, ':release/1')).toContain(DELETE);
  // One refused ref refuses the whole push.
  const both = await push(developer.address, 'main:release/1', ':release/2', 'main:fine');
  expect(both).toContain(DELETE);
  const { body } = await forgelog.get(`/projects/${project.id}/repository/branches?search=^fine`);
  expect(body).toEqual([]);
});

test('who may push may drop commits where the rule allows it, and a named user may push', async () => {
  const { project, first } = await pushedProject();
  const [named, other] = [await memberOf(project, 30), await memberOf(project, 30)];
  await protect(project, {
    ...{ name: 'release/1', push_access_level: 0, allow_force_push: true },
    allowed_to_push: [{ user_id: named.id }],
  });
  await git(project.folder, 'push', named.address, `+${first}:release/1`);
  const refused = await tryGit(project.folder, 'push', other.address, 'main:release/1');
  expect(refused.stderr).toContain(PUSH);
  const owner = await tryGit(project.folder, 'push', 'origin', 'main:release/1');
  expect(owner.stderr).toContain(PUSH);
});

test('protected tags are created by whom the rule admits, never move, and maintainers delete them', async () => {
  const { project, first } = await pushedProject();
  await git(project.folder, 'tag', 'v1', first);
  await git(project.folder, 'tag', 'free', first);
  const developer = await memberOf(project, 30);
  const maintainer = await memberOf(project, 40);
  const created = await forgelog.post(`/projects/${project.id}/protected_tags`, { name: 'v*' });
  expect(created.status).toBe(201);
  const push = async (address: string, ...refs: string[]) =>
    (await tryGit(project.folder, 'push', address, ...refs)).stderr;
  const refused = 'You are not allowed to create this tag as it is protected.';
  expect(await push(developer.address, 'v1')).toContain(refused);
  expect(await push(developer.address, 'free')).toContain('[new tag]');
  expect(await push(maintainer.address, 'v1')).toContain('[new tag]');
  expect(await push(maintainer.address, '+main:refs/tags/v1')).toContain('Protected tags cannot be updated.');
  expect(await push(developer.address, ':v1')).toContain('Only a project maintainer or owner can delete');
  expect(await push(developer.address, '+main:refs/tags/free', 'main:other')).toContain('[new branch]');
  expect(await push(maintainer.address, ':v1')).toContain('[deleted]');
});

test('commits, branches and deletions of the API follow the same rules', async () => {
  const { project } = await pushedProject();
  await protect(project, { name: '*/1' });
  const { token } = await memberOf(project, 30);
  const base = `/projects/${project.id}/repository`;
  const file = { file_path: 'x', action: 'create', content: 'x' };
  const change = { branch: 'release/1', commit_message: 'm', actions: [file] };
  expect(await forgelog.post(`${base}/commits`, change, { token })).toMatchObject({
    status: 403,
    body: { message: '403 Forbidden - You are not allowed to push into this branch' },
  });
  const made = await forgelog.post(`${base}/branches`, { branch: 'fix/1', ref: 'main' }, { token });
  expect(made.status).toBe(403);
  for (const as of [token, undefined]) {
    const deleted = await forgelog.delete(`${base}/branches/release%2F1`, as ? { token: as } : {});
    expect(deleted.status).toBe(403);
  }
  const { body } = await forgelog.get(`${base}/branches/release%2F1`, { token });
  expect(body).toMatchObject({ protected: true, can_push: false, developers_can_push: false });
});

test('of pushes and a protection at once, what comes after the answer of the protection is refused', async () => {
  const { project } = await pushedProject();
  const developer = await memberOf(project, 30);
  let isProtected = false;
  const pushes = (async () => {
    const late: boolean[] = [];
    for (let count = 0; count < 12; count += 1) {
      const wasProtected = isProtected;
      await commit(project.folder, `Change ${count}`);
      const { code } = await tryGit(project.folder, 'push', developer.address, 'main:release/1');
      if (wasProtected) late.push(code === 0);
    }
    return late;
  })();
  await new Promise((resolve) => setTimeout(resolve, 150));
  await protect(project, { name: 'release/1' });
  isProtected = true;
  const late = await pushes;
  expect(late.length).toBeGreaterThan(0);
  expect(late).not.toContain(true);
});

test('a group says who pushes to default branches, and a rule of the project counts more', async () => {
  const name = 'guarded';
  const { body: group } = await forgelog.post('/groups', { name, path: name, default_branch_protection: 2 });
  const project = await projectToPush(forgelog, { namespace_id: group.id });
  const developer = await memberOf(project, 30);
  // The first branch has nothing to protect yet.
  await commit(project.folder, 'First');
  const push = async (...refs: string[]) =>
    (await tryGit(project.folder, 'push', developer.address, ...refs)).stderr;
  expect(await push('main')).toContain('[new branch]');
  await commit(project.folder, 'Second');
  expect(await push('main')).toContain(PUSH);
  await forgelog.put(`/groups/${group.id}`, { default_branch_protection: 1 });
  expect(await push('main')).toContain('main -> main');
  await forgelog.put(`/groups/${group.id}`, { default_branch_protection: 2 });
  await commit(project.folder, 'Third');
  expect(await push('main')).toContain(PUSH);
  await protect(project, { name: 'main', push_access_level: 30 });
  expect(await push('main')).toContain('main -> main');
});
