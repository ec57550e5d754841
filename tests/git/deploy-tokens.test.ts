import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessEvents } from '../support/access-story.ts';
import { createGroup, createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { addressOf, commit, emptyFolder, git, tryGit, workingCopy } from '../support/stock-git.ts';

let forgelog: Forgelog;
let now = new Date('2026-03-01T12:00:00Z');
let project: { id: number; path_with_namespace: string };

beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => now });
  project = await newProject('closed');
});
afterAll(() => forgelog.stop());

async function newProject(name: string, more: object = {}) {
  const asked = { name, visibility: 'private', initialize_with_readme: true, ...more };
  const { status, body } = await forgelog.post('/projects', asked);
  expect(status).toBe(201);
  return body;
}

type DeployToken = { id: number; username: string; token: string };

async function newToken(place: string, more: object = {}): Promise<DeployToken> {
  const asked = { name: 'machine', scopes: ['read_repository'], ...more };
  const { status, body } = await forgelog.post(`${place}/deploy_tokens`, asked);
  expect(status).toBe(201);
  return body;
}

const as = ({ username, token }: DeployToken, path: string) =>
  addressOf(forgelog, path, { name: username, secret: token });
const ls = async (token: DeployToken, path = project.path_with_namespace) =>
  tryGit(await emptyFolder(), 'ls-remote', as(token, path), 'main');

test('a token clones and fetches its project, and pushes nothing', async () => {
  const source = await workingCopy();
  const { id, path_with_namespace: path } = await newProject('source', { initialize_with_readme: false });
  const root = addressOf(forgelog, path, { name: 'root', secret: forgelog.rootToken });
  await commit(source, 'First');
  await git(source, 'push', '-q', root, 'main');
  const token = await newToken(`/projects/${id}`);
  expect(token.username).toBe(`gitlab+deploy-token-${token.id}`);
  const folder = await emptyFolder();
  await git(folder, 'clone', '-q', as(token, path), 'copy');
  const head = await commit(source, 'Second');
  await git(source, 'push', '-q', root, 'main');
  const copy = join(folder, 'copy');
  await git(copy, 'pull', '-q');
  expect(await git(copy, 'rev-parse', 'HEAD')).toBe(head);
  const pushed = await tryGit(copy, 'push', as(token, path), 'main:other');
  expect(pushed.stderr).toContain('not allowed to push');
  const events = await accessEvents(forgelog, ({ type }) => type === 'RepositoryFetched');
  const [fetched] = events.filter(({ type }) => type === 'RepositoryFetched');
  expect(fetched!.metadata).toMatchObject({
    ...{ actorId: null, credential: { kind: 'deploy_token', id: token.id } },
  });
  const used = events.filter(({ type }) => type === 'DeployTokenUsed').map(({ data }) => data);
  expect(used).toMatchObject([{ deployTokenId: token.id, projectId: id, groupId: null }]);
});

test('a token opens its project alone, and what everybody sees neither', async () => {
  const open = await newProject('open', { visibility: 'public' });
  const internal = await newProject('internal', { visibility: 'internal' });
  const other = await newProject('other');
  const token = await newToken(`/projects/${project.id}`, { username: 'my-machine' });
  expect((await ls(token)).code).toBe(0);
  for (const { path_with_namespace: path } of [internal, other, { path_with_namespace: 'root/none' }])
    expect((await ls(token, path)).stderr, path).toContain('could not be found');
  // git asks without the token first where everybody may read.
  const basic = Buffer.from(`${token.username}:${token.token}`).toString('base64');
  const asked = `${forgelog.url}/${open.path_with_namespace}.git/info/refs?service=git-upload-pack`;
  expect((await fetch(asked, { headers: { Authorization: `Basic ${basic}` } })).status).toBe(404);
  const created = await tryGit(await workingCopy(), 'push', as(token, 'root/brand-new'), 'HEAD:main');
  expect(created.stderr).toContain('could not be found');
  expect((await forgelog.get('/projects/root%2Fbrand-new')).status).toBe(404);
});

test('a token of a group opens the projects below, also when they come and go', async () => {
  const top = await createGroup(forgelog);
  const { body: below } = await forgelog.post('/groups', { name: 'b', path: 'below', parent_id: top.id });
  const { id, path_with_namespace: path } = await newProject('deep', { namespace_id: below.id });
  const token = await newToken(`/groups/${top.id}`);
  const ofBelow = await newToken(`/groups/${below.id}`);
  expect((await ls(token, path)).code).toBe(0);
  expect((await ls(ofBelow, path)).code).toBe(0);
  expect((await ls(token)).stderr).toContain('could not be found');
  expect((await forgelog.put(`/projects/${id}/transfer`, { namespace: top.id })).status).toBe(200);
  const { body: moved } = await forgelog.get(`/projects/${id}`);
  expect((await ls(token, moved.path_with_namespace)).code).toBe(0);
  expect((await ls(ofBelow, moved.path_with_namespace)).stderr).toContain('could not be found');
});

test('a wrong name, a wrong token and a token for registries are refused', async () => {
  const token = await newToken(`/projects/${project.id}`);
  const images = await newToken(`/projects/${project.id}`, {
    scopes: ['read_registry', 'write_registry', 'read_package_registry', 'write_package_registry'],
  });
  for (const wrong of [
    { ...token, username: 'root' },
    { ...token, username: 'gitlab-ci-token' },
    { ...token, username: token.username.toUpperCase() },
    { ...token, token: `${token.token}x` },
    images,
  ])
    expect((await ls(wrong)).stderr, wrong.username).toMatch(/Access denied|Authentication failed/);
  expect((await ls(token)).code).toBe(0);
});

test('a token ends by its deletion, on its time, and with its project, at once', async () => {
  const deleted = await newToken(`/projects/${project.id}`);
  expect((await ls(deleted)).code).toBe(0);
  await forgelog.delete(`/projects/${project.id}/deploy_tokens/${deleted.id}`);
  expect((await ls(deleted)).code).not.toBe(0);

  const until = new Date(now.getTime() + 60_000);
  const short = await newToken(`/projects/${project.id}`, { expires_at: until.toISOString() });
  now = new Date(until.getTime() - 1);
  expect((await ls(short)).code).toBe(0);
  now = until;
  expect((await ls(short)).code).not.toBe(0);
  const { body } = await forgelog.get(`/projects/${project.id}/deploy_tokens/${short.id}`);
  expect(body.expired).toBe(true);

  const { id, path_with_namespace: path } = await newProject('gone');
  const last = await newToken(`/projects/${id}`);
  expect((await ls(last, path)).code).toBe(0);
  await forgelog.delete(`/projects/${id}`);
  expect((await ls(last, path)).code).not.toBe(0);
});

test('what is left of the place decides: an archived project is read, one without code is not', async () => {
  const { id, path_with_namespace: path } = await newProject('changing');
  const token = await newToken(`/projects/${id}`);
  await forgelog.post(`/projects/${id}/archive`);
  expect((await ls(token, path)).code).toBe(0);
  await forgelog.post(`/projects/${id}/unarchive`);
  await forgelog.put(`/projects/${id}`, { repository_access_level: 'disabled' });
  expect((await ls(token, path)).stderr).toContain('not allowed to download');
});

test('a token outlives whoever made it', async () => {
  const maker = await createUser(forgelog);
  await forgelog.post(`/projects/${project.id}/members`, { user_id: maker.id, access_level: 40 });
  const { body: token } = await forgelog.post(
    `/projects/${project.id}/deploy_tokens`,
    { name: 'machine', scopes: ['read_repository'] },
    { token: maker.token },
  );
  await forgelog.delete(`/users/${maker.id}`);
  expect((await ls(token)).code).toBe(0);
});

test('a token opens nothing of the API', async () => {
  const token = await newToken(`/projects/${project.id}`, {
    scopes: ['read_repository', 'read_package_registry', 'write_package_registry'],
  });
  const answers = [];
  for (const path of [
    '/user',
    `/projects/${project.id}`,
    `/projects/${project.id}/repository/tree`,
    '/version',
  ]) {
    answers.push(await forgelog.get(path, { token: token.token }));
    answers.push(await forgelog.get(path, { token: null, headers: { 'Deploy-Token': token.token } }));
  }
  const wrong = { token: null, headers: { 'Deploy-Token': 'fldt-of-nobody' } };
  answers.push(await forgelog.get('/projects', wrong));
  answers.push(
    await forgelog.get('/user', { token: null, headers: { 'Deploy-Token': token.token, Sudo: 'root' } }),
  );
  const refused = { message: '403 Forbidden - A deploy token does not open this' };
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    ...[1, 2, 3, 4].flatMap(() => [
      [401, { message: '401 Unauthorized' }],
      [403, refused],
    ]),
    [401, { message: '401 Unauthorized' }],
    [403, expect.anything()],
  ]);
});
