import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { BEGINNING } from '@forgelog/eventing/event.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createGroup, createToken, createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { startServerProcess } from '../support/server-process.ts';
import { addressOf, commit, emptyFolder, git, tryGit, workingCopy } from '../support/stock-git.ts';

let forgelog: Forgelog;
let ann: TestUser;
let ben: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  ann = await createUser(forgelog, { username: 'ann' });
  ben = await createUser(forgelog, { username: 'ben' });
});
afterAll(() => forgelog.stop());

const as = (user: TestUser, path: string, secret = user.token) =>
  addressOf(forgelog, path, { name: user.username, secret });
const projectAt = (path: string) => forgelog.get(`/projects/${encodeURIComponent(path)}`);
const NOT_FOUND =
  "The project you were looking for could not be found or you don't have permission to view it.";

/** What is there of projects: events of theirs, and folders of repositories. */
async function remains() {
  await forgelog.system.projectors.policiesIdle();
  const events = await forgelog.system.store.readAll({ after: BEGINNING, limit: 10_000 });
  const created = events.filter(({ type }) => type === 'ProjectCreated' || type === 'NameClaimed').length;
  const root = join(forgelog.dataDir, 'repositories', '@hashed');
  const folders = await readdir(root, { recursive: true }).catch(() => [] as string[]);
  return { created, folders: folders.filter((path) => /\.git[^/]*$/.test(path)).sort() };
}

/** Asks as git does before it pushes. */
async function probe(path: string, user: TestUser | null, token = user?.token) {
  const headers: Record<string, string> = user
    ? { Authorization: `Basic ${Buffer.from(`${user.username}:${token}`).toString('base64')}` }
    : {};
  const answer = await fetch(`${forgelog.url}/${path}.git/info/refs?service=git-receive-pack`, { headers });
  return { status: answer.status, text: await answer.text() };
}

test("the first push to a free path of one's own creates a private project and reports it", async () => {
  const folder = await workingCopy();
  const address = as(ann, 'ann/brand-new');
  const pushed = await tryGit(folder, 'push', '-u', address, 'main');
  expect([pushed.code, pushed.stderr]).toMatchObject([0, expect.stringContaining('main -> main')]);
  const lines = pushed.stderr.split('\n').map((line) => line.trimEnd());
  expect(lines).toEqual(
    expect.arrayContaining([
      'remote: The private project ann/brand-new was successfully created.',
      `remote:   git remote add origin ${forgelog.url}/ann/brand-new.git`,
      `remote:   ${forgelog.url}/ann/brand-new`,
    ]),
  );
  const { body } = await projectAt('ann/brand-new');
  expect(body).toMatchObject({
    ...{ name: 'brand-new', path: 'brand-new', visibility: 'private', default_branch: 'main' },
    ...{ empty_repo: false, creator_id: ann.id, owner: { id: ann.id } },
  });
  const activity = (await forgelog.get(`/projects/${body.id}/events`)).body;
  expect(activity.map(({ action_name }: { action_name: string }) => action_name)).toEqual([
    'pushed new',
    'created',
  ]);
  const audited = (await forgelog.get('/audit_events?entity_type=Project')).body.filter(
    ({ entity_id }: { entity_id: number }) => entity_id === body.id,
  );
  expect(audited.at(-1)).toMatchObject({
    author_id: ann.id,
    details: { add: 'project', entity_path: 'ann/brand-new' },
  });
  expect((await forgelog.get(`/projects/${body.id}`, { token: ben.token })).status).toBe(404);

  // From here on it is a project like any other.
  await commit(folder, 'Second');
  const again = await tryGit(folder, 'push', address, 'main', 'main:topic');
  expect([again.code, again.stderr.includes('successfully created')]).toEqual([0, false]);
  const clone = await emptyFolder();
  await git(clone, 'clone', '-q', address, '.');
  expect(await git(clone, 'rev-list', '--count', 'HEAD')).toBe('2');
});

test('in a group, also a nested one, callers create projects if they may', async () => {
  const top = await createGroup(forgelog, { path: 'top' });
  const below = await createGroup(forgelog, { path: 'below', parent_id: top.id });
  await createGroup(forgelog, { path: 'closed', parent_id: top.id, project_creation_level: 'noone' });
  await createGroup(forgelog, { path: 'strict', parent_id: top.id, project_creation_level: 'maintainer' });
  await forgelog.post(`/groups/${top.id}/members`, { user_id: ann.id, access_level: 30 });
  await forgelog.post(`/groups/${below.id}/members`, { user_id: ben.id, access_level: 20 });
  await forgelog.post('/projects', { name: 'secret' }, { token: ben.token });
  const folder = await workingCopy();
  const pushed = await tryGit(folder, 'push', as(ann, 'TOP/below/tool'), 'main:trunk');
  expect(pushed.stderr).toContain('The private project top/below/tool was successfully created.');
  expect((await projectAt('top/below/tool')).body).toMatchObject({
    ...{ visibility: 'private', default_branch: 'trunk', namespace: { id: below.id } },
  });
  const before = await remains();
  for (const [user, path] of [
    [ann, 'top/closed/tool'],
    [ann, 'top/strict/tool'],
    [ann, 'top/missing/tool'],
    [ann, 'ben/tool'],
    [ann, 'ben/secret'],
    [ann, 'nowhere/tool'],
    [ben, 'top/below/other'],
    [ben, 'top/other'],
  ] as const) {
    expect([path, await probe(path, user)]).toEqual([path, { status: 404, text: `${NOT_FOUND}\n` }]);
    const refused = await tryGit(folder, 'push', as(user, path), 'main');
    expect([path, refused.code, refused.stderr]).toEqual([path, 128, expect.stringContaining(NOT_FOUND)]);
  }
  expect(await remains()).toEqual(before);
});

test('a clone, an anonymous push and a token without push rights create nothing', async () => {
  const folder = await workingCopy();
  const before = await remains();
  const address = as(ann, 'ann/unborn');
  for (const read of [
    ['ls-remote', address],
    ['clone', address, 'x'],
    ['fetch', address],
  ]) {
    const refused = await tryGit(folder, ...read);
    expect([read[0], refused.stderr]).toEqual([read[0], expect.stringContaining(NOT_FOUND)]);
  }
  const nobody = await tryGit(folder, 'push', addressOf(forgelog, 'ann/unborn', null), 'main');
  expect(nobody.stderr).toContain('could not read Username');
  expect((await probe('ann/unborn', null)).status).toBe(401);
  expect((await probe('ann/unborn', ann, 'x'.repeat(20))).status).toBe(401);
  const reading = await createToken(forgelog, ann.id, ['read_repository']);
  expect(await probe('ann/unborn', ann, reading)).toEqual({ status: 404, text: `${NOT_FOUND}\n` });
  const dry = await tryGit(folder, 'push', '--dry-run', address, 'main');
  expect(dry.code).toBe(0);
  expect(await remains()).toEqual(before);
  const writing = await createToken(forgelog, ann.id, ['write_repository']);
  expect((await tryGit(folder, 'push', as(ann, 'ann/unborn', writing), 'main')).code).toBe(0);
  expect((await projectAt('ann/unborn')).status).toBe(200);
});

test('an invalid project path is refused with a message', async () => {
  const folder = await workingCopy();
  await forgelog.post('/projects', { name: 'wanted-name', path: 'another-path' }, { token: ann.token });
  const before = await remains();
  for (const [path, status, text] of [
    ['ann/raw', 422, 'Could not create project: Path raw is a reserved name'],
    ['ann/x.atom', 422, "Cannot start with '-', end in '.git' or end in '.atom'"],
    ['ann/x.git', 422, "Cannot start with '-', end in '.git' or end in '.atom'"],
    ['ann/-x', 422, 'Could not create project: Name can contain only'],
    ['ann/%C3%A4', 422, 'Could not create project: Path can contain only'],
    [`ann/${'x'.repeat(256)}`, 422, 'is too long (maximum is 255 characters)'],
    ['ann/wanted-name', 422, 'Could not create project: Name has already been taken'],
    ['ann/no-such-path.wiki', 404, 'The wiki you were looking for could not be found'],
    ['ann/..', 422, 'Could not create project: '],
  ] as const) {
    const told = await probe(path, ann);
    expect([path, told.status, told.text]).toEqual([path, status, expect.stringContaining(text)]);
  }
  const refused = await tryGit(folder, 'push', as(ann, 'ann/raw'), 'main');
  expect(refused.stderr).toContain('remote: Could not create project: Path raw is a reserved name');
  const full = await createUser(forgelog, { username: 'full' });
  await forgelog.put(`/users/${full.id}`, { projects_limit: 0 });
  expect(await probe('full/one', full)).toMatchObject({
    status: 422,
    text: expect.stringContaining('Personal project creation is not allowed'),
  });
  expect((await remains()).folders).toEqual(before.folders);
});

test('a failed push creates nothing', async () => {
  const folder = await workingCopy();
  const before = await remains();
  const named = await tryGit(
    folder,
    'push',
    as(ann, 'ann/failed'),
    `main:refs/heads/${'a'.repeat(40)}`,
    'main',
  );
  expect(named.stderr).toContain('SHA-1 or SHA-256 branch name');
  expect(named.stderr).not.toContain('successfully created');
  const hidden = await tryGit(folder, 'push', as(ann, 'ann/failed'), 'main:refs/other/x');
  expect(hidden.stderr).toContain('You can only push branches, tags and notes');
  // A commit that git's own check refuses: its author has no address.
  const tree = await git(folder, 'rev-parse', 'HEAD^{tree}');
  await git(
    folder,
    'config',
    'alias.bad',
    `!printf 'tree ${tree}\\nauthor A 1 +0000\\ncommitter A 1 +0000\\n\\nx\\n' | git hash-object -t commit -w --literally --stdin`,
  );
  const bad = await git(folder, 'bad');
  const broken = await tryGit(folder, 'push', as(ann, 'ann/failed'), `${bad}:refs/heads/main`);
  expect(broken.code).not.toBe(0);
  expect(broken.stderr).toContain('unpack');
  const oid = await git(folder, 'rev-parse', 'main');
  const zero = '0'.repeat(40);
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;
  const command = (from: string, to: string) =>
    `${line(`${from} ${to} refs/heads/main\0report-status side-band-64k`)}0000`;
  for (const body of [
    '0000',
    '',
    command(zero, oid),
    `${command(zero, oid)}PACK`,
    command(oid, zero),
    'nonsense',
  ]) {
    const answer = await fetch(`${forgelog.url}/ann/failed.git/git-receive-pack`, {
      method: 'POST',
      body,
      headers: {
        Authorization: `Basic ${Buffer.from(`ann:${ann.token}`).toString('base64')}`,
        'Content-Type': 'application/x-git-receive-pack-request',
      },
    });
    expect(await answer.text(), body).not.toContain('ok refs/heads/main');
  }
  const gone = begin(`${forgelog.url}/ann/failed`, `ann:${ann.token}`, `${command(zero, oid)}PACK`);
  const { folders } = before;
  await expect.poll(async () => (await remains()).folders.length).toBe(folders.length + 1);
  gone.destroy();
  await expect.poll(remains).toEqual(before);
  expect((await projectAt('ann/failed')).status).toBe(404);
  // The address is as free as before.
  expect((await tryGit(folder, 'push', as(ann, 'ann/failed'), 'main')).code).toBe(0);
});

test('if git rolls back the push, the project is removed', async () => {
  const folder = await workingCopy();
  const { folders } = await remains();
  const address = as(ann, 'ann/undone');
  // The second name is in the way of the first, which git finds when it moves them.
  const undone = await tryGit(
    folder,
    'push',
    '--atomic',
    address,
    'main:refs/heads/a',
    'main:refs/heads/a/b',
  );
  expect(undone.code).not.toBe(0);
  expect((await projectAt('ann/undone')).status).toBe(404);
  await expect.poll(async () => (await remains()).folders).toEqual(folders);
  expect((await tryGit(folder, 'push', address, 'main')).code).toBe(0);
});

/** A push that begins and does not go on; it ends with what it is sent over. */
function begin(url: string, auth: string, begun: string) {
  const headers = { 'Content-Type': 'application/x-git-receive-pack-request', 'Content-Length': 100_000 };
  const push = request(`${url}.git/git-receive-pack`, { method: 'POST', auth, headers });
  push.on('error', () => {});
  push.write(begun);
  return push;
}

test('after a kill during a push, the next start removes what was received', async () => {
  const dataDir = await emptyFolder();
  const environment = { DATA_DIR: dataDir, ROOT_TOKEN: forgelog.rootToken };
  const folders = async () =>
    (await readdir(join(dataDir, 'repositories'), { recursive: true })).filter(
      (path) => /\.git[^/]*$|^unclaimed\//.test(path) && !path.startsWith('@empty'),
    );
  const killed = startServerProcess(environment);
  onTestFinished(() => void killed.stop('SIGKILL'));
  const at = `${(await killed.ready)!}/root/half`;
  const line = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0report-status`;
  const push = begin(
    at,
    `root:${forgelog.rootToken}`,
    `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000PACK`,
  );
  await expect.poll(folders).toHaveLength(2);
  expect(await killed.stop('SIGKILL')).toBe('SIGKILL');
  push.destroy();
  expect(await folders()).toHaveLength(2);
  const again = startServerProcess(environment);
  onTestFinished(() => void again.stop('SIGKILL'));
  const url = (await again.ready)!;
  expect(await folders()).toEqual([]);
  const root = { name: 'root', secret: forgelog.rootToken };
  const pushed = await tryGit(await workingCopy(), 'push', addressOf({ url }, 'root/half', root), 'main');
  expect(pushed.stderr).toContain('The private project root/half was successfully created.');
  expect(await folders()).toHaveLength(1);
  expect(await again.stop()).toBe(0);
});

test('one of many concurrent first pushes creates the project, and the others get a message', async () => {
  const copies = await Promise.all(
    Array.from({ length: 6 }, async (_, at) => {
      const folder = await workingCopy();
      await commit(folder, `Of ${at}`);
      return folder;
    }),
  );
  const before = await remains();
  const runs = await Promise.all(
    copies.map((folder, at) => tryGit(folder, 'push', as(ann, 'ann/raced'), `main:branch-${at}`)),
  );
  const made = runs.filter(({ stderr }) => stderr.includes('was successfully created'));
  expect(made).toHaveLength(1);
  for (const { code, stderr } of runs)
    expect(code === 0 || /has already been taken/.test(stderr), stderr).toBe(true);
  const after = await remains();
  expect(after.folders).toHaveLength(before.folders.length + 1);
  // Whoever was told pushes again.
  for (const [at, folder] of copies.entries())
    expect((await tryGit(folder, 'push', as(ann, 'ann/raced'), `main:branch-${at}`)).code).toBe(0);
  const { body } = await projectAt('ann/raced');
  expect((await forgelog.get(`/projects/${body.id}/repository/branches`)).body).toHaveLength(6);
});

test('a chunked push with tags, after a probe request, creates one project', async () => {
  const folder = await workingCopy();
  await git(folder, 'config', 'http.postBuffer', '65536');
  const noise = `!head -c 300000 /dev/urandom > noise && git add noise`;
  await git(folder, 'config', 'alias.noise', noise);
  await git(folder, 'noise');
  await commit(folder, 'Noise');
  await git(folder, 'tag', 'v1');
  const pushed = await tryGit(folder, 'push', '--atomic', as(ann, 'ann/large'), 'main', 'v1');
  expect([pushed.code, pushed.stderr]).toEqual([0, expect.stringContaining('was successfully created')]);
  const { body } = await projectAt('ann/large');
  expect((await forgelog.get(`/projects/${body.id}/repository/tags`)).body).toHaveLength(1);
});
