import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { addressOf, commit, emptyFolder, git, tryGit, workingCopy } from '../support/stock-git.ts';

let forgelog: Forgelog;
const root = () => ({ name: 'root', secret: forgelog.rootToken });
let head: string;

beforeAll(async () => {
  forgelog = await startForgelog();
  for (const visibility of ['private', 'internal', 'public'])
    await forgelog.post('/projects', { name: visibility, visibility, initialize_with_readme: true });
});
afterAll(() => forgelog.stop());

const clone = async (path: string, who: { name: string; secret: string } | null, ...options: string[]) =>
  tryGit(await emptyFolder(), 'clone', '-q', ...options, addressOf(forgelog, path, who), 'copy');

const rawGet = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(forgelog.url + path, { headers, method, redirect: 'manual' });
const basic = (name: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
});

test('clones, fetches new commits, shallow and partial', async () => {
  const source = await workingCopy();
  await forgelog.post('/projects', { name: 'source' });
  const address = addressOf(forgelog, 'root/source', root());
  for (const message of ['Second', 'Third']) head = await commit(source, message);
  await git(source, 'tag', '-a', '-m', 'One', 'v1');
  await git(source, 'push', '-q', address, 'main', 'v1');
  const folder = await emptyFolder();
  await git(folder, 'clone', '-q', address, 'whole');
  const whole = join(folder, 'whole');
  expect(await git(whole, 'rev-parse', 'HEAD', 'v1^{commit}')).toBe(`${head}\n${head}`);
  await git(folder, 'clone', '-q', '--depth', '1', address, 'shallow');
  expect(await git(join(folder, 'shallow'), 'rev-list', '--count', 'HEAD')).toBe('1');
  await git(join(folder, 'shallow'), 'fetch', '-q', '--unshallow');
  expect(await git(join(folder, 'shallow'), 'rev-list', '--count', 'HEAD')).toBe('3');
  await git(folder, 'clone', '-q', '--filter=blob:none', address, 'partial');
  expect(await git(join(folder, 'partial'), 'rev-parse', 'HEAD')).toBe(head);
  head = await commit(source, 'Fourth');
  await git(source, 'push', '-q', address, 'main');
  await git(whole, 'pull', '-q');
  expect(await git(whole, 'rev-parse', 'HEAD')).toBe(head);
  for (const version of ['0', '1', '2'])
    expect(await git(folder, '-c', `protocol.version=${version}`, 'ls-remote', address, 'main')).toContain(
      head,
    );
});

test('an empty repository can be cloned', async () => {
  await forgelog.post('/projects', { name: 'empty' });
  const run = await clone('root/empty', root());
  expect(run.code).toBe(0);
});

test('public, internal and private projects are read by the permitted callers', async () => {
  const user = await createUser(forgelog);
  const external = await createUser(forgelog, { external: true });
  const as = ({ username, token }: { username: string; token: string }) => ({
    name: username,
    secret: token,
  });
  expect((await clone('root/public', null)).code).toBe(0);
  expect((await clone('root/public', as(external))).code).toBe(0);
  expect((await clone('root/internal', as(user))).code).toBe(0);
  expect((await clone('root/internal', as(external))).stderr).toContain('could not be found');
  expect((await clone('root/private', as(user))).stderr).toContain('could not be found');
  for (const path of ['root/internal', 'root/private', 'root/nothing-there'])
    expect((await clone(path, null)).stderr, path).toContain('could not read Username');
  expect((await clone('root/nothing-there', as(user))).stderr).toContain('not found');
});

test('guests of a private project cannot read its code', async () => {
  const guest = await createUser(forgelog);
  const { id } = (await forgelog.get('/projects/root%2Fprivate')).body;
  await forgelog.post(`/projects/${id}/members`, { user_id: guest.id, access_level: 10 });
  const refused = await clone('root/private', { name: guest.username, secret: guest.token });
  expect(refused.stderr).toContain('You are not allowed to download code from this project.');
  await forgelog.put(`/projects/${id}/members/${guest.id}`, { access_level: 20 });
  expect((await clone('root/private', { name: guest.username, secret: guest.token })).code).toBe(0);
});

test('a clone that is kept is for those alone who may read now', async () => {
  const [member, stranger] = [await createUser(forgelog), await createUser(forgelog)];
  const { id } = (await forgelog.get('/projects/root%2Fprivate')).body;
  await forgelog.post(`/projects/${id}/members`, { user_id: member.id, access_level: 20 });
  const as = ({ username, token }: { username: string; token: string }) =>
    clone('root/private', { name: username, secret: token }, '--depth=1');
  for (let time = 0; time < 3; time += 1) expect((await as(member)).code).toBe(0);
  expect((await as(stranger)).stderr).toContain('could not be found');
  await forgelog.delete(`/projects/${id}/members/${member.id}`);
  expect((await as(member)).stderr).toContain('could not be found');
});

test('an account signs in with its own password only', async () => {
  const password = 'correct horse battery';
  const user = await createUser(forgelog, { password, force_random_password: false });
  expect((await clone('root/internal', { name: user.username, secret: password })).code).toBe(0);
  expect((await clone('root/internal', { name: user.username.toUpperCase(), secret: password })).code).toBe(
    0,
  );
  for (const [name, secret] of [
    [user.username, 'wrong'],
    ['nobody-at-all', password],
    [user.username, ''],
  ] as const) {
    const reply = await rawGet('/root/public.git/info/refs?service=git-upload-pack', basic(name, secret));
    expect(reply.status, `${name}:${secret}`).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Basic realm="Forgelog"');
  }
});

test('read_repository and write_repository are separate scopes', async () => {
  const user = await createUser(forgelog);
  const { id } = (await forgelog.get('/projects/root%2Fpublic')).body;
  await forgelog.post(`/projects/${id}/members`, { user_id: user.id, access_level: 40 });
  const status = async (scope: string, service: string) => {
    const token = await createToken(forgelog, user.id, [scope]);
    return (await rawGet(`/root/public.git/info/refs?service=${service}`, basic('any', token))).status;
  };
  expect(await status('read_repository', 'git-upload-pack')).toBe(200);
  expect(await status('read_repository', 'git-receive-pack')).toBe(403);
  expect(await status('write_repository', 'git-upload-pack')).toBe(200);
  expect(await status('write_repository', 'git-receive-pack')).toBe(200);
  expect(await status('api', 'git-receive-pack')).toBe(200);
  expect(await status('read_user', 'git-upload-pack')).toBe(401);
});

test('release tools send their token with the name of job tokens', async () => {
  const user = await createUser(forgelog);
  const token = await createToken(forgelog, user.id, ['write_repository']);
  const status = async (secret: string) => {
    const sent = basic('gitlab-ci-token', secret);
    return (await rawGet('/root/internal.git/info/refs?service=git-upload-pack', sent)).status;
  };
  expect([await status(token), await status('wrong')]).toEqual([200, 401]);
});

test('a blocked user gets a message that says so', async () => {
  const user = await createUser(forgelog);
  await forgelog.post(`/users/${user.id}/block`);
  const reply = await rawGet('/root/public.git/info/refs?service=git-upload-pack', basic('x', user.token));
  expect(reply.status).toBe(403);
  expect(await reply.text()).toContain('blocked');
});

test('paths: the .git suffix, moved projects, nested groups, no dumb protocol', async () => {
  const service = 'service=git-upload-pack';
  const bare = await rawGet(`/root/public/info/refs?${service}`);
  expect(bare.status).toBe(301);
  expect(bare.headers.get('location')).toBe(`/root/public.git/info/refs?${service}`);
  expect((await rawGet('/root/public.git/info/refs')).status).toBe(403);
  expect((await rawGet('/root/public.git/info/refs?service=git-upload-archive')).status).toBe(403);
  expect((await rawGet('/root/public.git/HEAD')).status).toBe(403);
  expect((await rawGet('/root/public.git/objects/info/packs')).status).toBe(403);
  expect((await rawGet(`/root/public.git/info/refs?${service}`, {}, 'HEAD')).status).toBe(403);
  expect((await rawGet(`/root/public.git/info/refs?${service}`, {}, 'DELETE')).status).toBe(405);
  for (const path of ['/root/public.git/config', '/x/info/refs'])
    expect((await rawGet(path)).status, path).toBe(404);
  // Whoever is sent on stays here.
  const other = await rawGet(`//evil.example/x/info/refs?${service}`);
  expect(other.headers.get('location')).toBe(`/evil.example/x.git/info/refs?${service}`);
  expect((await rawGet(`//root//public.git//info/refs?${service}`)).status).toBe(200);
  const { id } = (await forgelog.post('/projects', { name: 'before', visibility: 'public' })).body;
  await forgelog.put(`/projects/${id}`, { path: 'after' });
  const moved = await rawGet(`/root/before.git/info/refs?${service}`);
  expect(moved.headers.get('location')).toBe(`/root/after.git/info/refs?${service}`);
  expect((await clone('root/before', null)).code).toBe(0);
  // An address that somebody is sent to is logged on the way: no credential belongs there.
  const credentials = 'private_token=s3cret&access%5Ftoken=s3cret&private_token[]=s3cret&JOB_TOKEN=s3cret';
  for (const name of ['public', 'before.git'])
    for (const query of [`${service}&${credentials}`, `${credentials}&${service}`]) {
      const sent = await rawGet(`/root/${name}/info/refs?${query}`);
      const to = name === 'public' ? 'public' : 'after';
      expect(sent.headers.get('location')).toBe(`/root/${to}.git/info/refs?${service}`);
    }
});

test('responses equal those of git', async () => {
  const path = '/root/public.git/git-upload-pack';
  const type = 'application/x-git-upload-pack-request';
  const post = (body: string | Buffer, headers: Record<string, string>) =>
    fetch(forgelog.url + path, { method: 'POST', body, headers });
  const list = '0014command=ls-refs\n0000';
  const asked = { 'Content-Type': type, 'Git-Protocol': 'version=2' };
  const plain = await post(list, asked);
  expect(plain.headers.get('content-type')).toBe('application/x-git-upload-pack-result');
  expect(plain.headers.get('cache-control')).toContain('no-cache');
  const text = await plain.text();
  expect(text).toContain('refs/heads/main');
  const zipped = await post(gzipSync(list), { ...asked, 'Content-Encoding': 'gzip' });
  expect(await zipped.text()).toBe(text);
  expect((await post(list, { ...asked, 'Content-Type': 'text/plain' })).status).toBe(415);
  expect((await post(list, { ...asked, 'Content-Encoding': 'br' })).status).toBe(415);
  const broken = await post(Buffer.from('no gzip at all'), { ...asked, 'Content-Encoding': 'gzip' });
  expect([broken.status, await broken.text()]).toEqual([400, 'The request body is not valid gzip\n']);
  const probe = await fetch(`${forgelog.url}/root/public.git/git-receive-pack`, {
    method: 'POST',
    body: '0000',
    headers: {
      'Content-Type': 'application/x-git-receive-pack-request',
      ...basic('root', forgelog.rootToken),
    },
  });
  expect(probe.status).toBe(200);
  expect(await probe.text()).toBe('');
});
