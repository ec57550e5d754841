import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createGroup, createUser } from '../support/accounts.ts';
import { type Balancer, balance, holdPort } from '../support/balancer.ts';
import { ROOT_TOKEN } from '../support/calls.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { valve } from '../support/slow-log.ts';
import { addressOf, commit, emptyFolder, git, tryGit, workingCopy } from '../support/stock-git.ts';

const STORAGES = ['default', 'second'];
const root = { name: 'root', secret: ROOT_TOKEN };

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ storages: STORAGES });
});
afterAll(() => cluster.stop());

interface Project {
  id: number;
  path_with_namespace: string;
  repository_storage: string;
}

let counter = 0;
async function createOn(storage: string, given: object = {}, on = cluster): Promise<Project> {
  const name = `on-${storage}-${++counter}`;
  const made = await on.post('/projects', { name, repository_storage: storage, ...given });
  expect(made).toMatchObject({ status: 201, body: { repository_storage: storage } });
  return made.body;
}

/** Repositories that lie in a storage's folder, whole ones and others. */
async function heldIn(storage: string, on = cluster): Promise<string[]> {
  const folder = on.folderOf(storage);
  const found = await readdir(folder, { recursive: true });
  return found.filter((path) => /^@hashed\/\w\w\/\w\w\/[^/]+$/.test(path)).sort();
}

const policiesIdle = (on = cluster) =>
  Promise.all(on.replicas.repo.map(({ projectors }) => projectors.policiesIdle()));

test('new projects go to the storages round-robin, and their repositories exist only there', async () => {
  const user = await createUser(cluster);
  const made: Project[] = [];
  for (const name of ['one', 'two', 'three', 'four']) {
    const { status, body } = await cluster.post('/projects', { name }, { token: user.token });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('repository_storage');
    made.push((await cluster.get(`/projects/${body.id}`)).body);
  }
  const storages = made.map(({ repository_storage: storage }) => storage);
  expect(storages.slice(0, 2).sort()).toEqual(STORAGES);
  expect(storages.slice(2)).toEqual(storages.slice(0, 2));
  for (const storage of STORAGES) {
    const { body } = await cluster.get(`/projects?repository_storage=${storage}&per_page=100`);
    const paths = (body as Project[]).map(({ id }) => repositoryPath(id)).sort();
    expect(paths.length).toBeGreaterThan(1);
    expect(await heldIn(storage)).toEqual(paths);
  }
});

test('an administrator chooses the storage in any encoding, and the parameter is ignored from others', async () => {
  const form = new URLSearchParams({ name: 'by-form', repository_storage: 'second' });
  const multipart = new FormData();
  multipart.set('name', 'by-multipart');
  multipart.set('repository_storage', 'second');
  for (const body of [form, multipart]) {
    const made = await cluster.call('POST', '/projects', { body });
    expect(made).toMatchObject({ status: 201, body: { repository_storage: 'second' } });
  }
  for (const [at, storage] of [...STORAGES, ...STORAGES].entries()) {
    const address = `/projects?repository_storage=${storage}&name=by-address-${at}`;
    const made = await cluster.call('POST', address);
    expect(made).toMatchObject({ status: 201, body: { repository_storage: storage } });
  }
  for (let times = 0; times < 2; times++) {
    const unknown = await cluster.post('/projects', { name: 'nowhere', repository_storage: 'third' });
    expect(unknown).toMatchObject({
      status: 400,
      body: { message: { repository_storage: ['is not included in the list'] } },
    });
  }
  const user = await createUser(cluster);
  const storages = new Set<string>();
  for (const name of ['first', 'other']) {
    const wish = { name, repository_storage: 'second' };
    const { body } = await cluster.post('/projects', wish, { token: user.token });
    storages.add((await cluster.get(`/projects/${body.id}`)).body.repository_storage);
  }
  expect(storages.size).toBe(2);
});

test('a first push, even a large one, creates its project on one storage', async () => {
  const user = await createUser(cluster, { username: 'pusher' });
  const who = { name: user.username, secret: user.token };
  const folder = await workingCopy();
  await git(folder, 'config', 'http.postBuffer', '65536');
  await git(folder, 'config', 'alias.noise', '!head -c 200000 /dev/urandom > noise && git add noise');
  await git(folder, 'noise');
  await commit(folder, 'Noise');
  const before = await Promise.all(STORAGES.map((storage) => heldIn(storage)));
  const storages = new Set<string>();
  for (let at = 0; at < 8; at++) {
    const path = `pusher/pushed-${at}`;
    const pushed = await tryGit(folder, 'push', addressOf(cluster, path, who), 'main');
    expect(pushed.stderr).toContain(`The private project ${path} was successfully created.`);
    const { body } = await cluster.get(`/projects/${encodeURIComponent(path)}`);
    expect(body).toMatchObject({ visibility: 'private', default_branch: 'main', creator_id: user.id });
    expect(await heldIn(body.repository_storage)).toContain(repositoryPath(body.id));
    storages.add(body.repository_storage);
  }
  expect([...storages].sort()).toEqual(STORAGES);
  const refused = await tryGit(folder, 'push', addressOf(cluster, 'root/not-mine', who), 'main');
  expect(refused.stderr).toContain('could not be found');
  const after = await Promise.all(STORAGES.map((storage) => heldIn(storage)));
  expect(after.flat()).toHaveLength(before.flat().length + 8);
});

test('malformed or too large bodies are refused with the texts of one process', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const cut = await cluster.call('POST', '/projects', { body: '{"name":', headers });
  expect(cut.status).toBe(400);
  const large = JSON.stringify({ name: 'large', description: 'x'.repeat(5_000_000) });
  const refused = await cluster.call('POST', '/projects', { body: large, headers });
  expect(refused.status).toBe(413);
  expect((await cluster.post('/projects', {}, { token: null })).status).toBe(401);
});

test('a fork is on the storage of its origin, and commits do not go to another', async () => {
  const given = { initialize_with_readme: true, visibility: 'public' };
  const origin = await createOn('second', given);
  const forks: Project[] = [];
  for (const number of [1, 2]) {
    const name = `fork-${number}-of-${origin.id}`;
    const { status, body } = await cluster.post(`/projects/${origin.id}/fork`, { name, path: name });
    expect([status, body.repository_storage, body.import_status]).toEqual([201, 'second', 'finished']);
    forks.push(body);
  }
  const [fork] = forks as [Project];
  const file = { branch: 'main', content: 'text', commit_message: 'Add a file' };
  expect((await cluster.post(`/projects/${fork.id}/repository/files/a.txt`, file)).status).toBe(201);
  const across = `/projects/${fork.id}/repository/compare?from=main&to=main&from_project_id=`;
  const compared = await cluster.get(`${across}${origin.id}`);
  expect(compared.body.diffs.map(({ new_path }: { new_path: string }) => new_path)).toEqual(['a.txt']);
  const elsewhere = await createOn('default', given);
  const refused = { status: 400, body: { message: expect.stringContaining('different storages') } };
  expect(await cluster.get(`${across}${elsewhere.id}`)).toMatchObject(refused);
  expect(await cluster.post(`/projects/${elsewhere.id}/fork/${origin.id}`)).toMatchObject(refused);
});

test.each(STORAGES)('files, branches, pushes and clones of a project on %s', async (storage) => {
  const project = await createOn(storage, { initialize_with_readme: true });
  const place = `/projects/${project.id}`;
  const file = { branch: 'main', content: 'text', commit_message: 'Add a file' };
  expect((await cluster.post(`${place}/repository/files/a.txt`, file)).status).toBe(201);
  const raw = await cluster.get(
    `/projects/${encodeURIComponent(project.path_with_namespace)}/repository/files/a.txt/raw?ref=main`,
  );
  expect(raw.text).toBe('text');
  const address = addressOf(cluster, project.path_with_namespace, root);
  const folder = join(await emptyFolder(), 'copy');
  await git('.', 'clone', '-q', address, folder);
  const tip = await commit(folder, 'Pushed');
  await git(folder, 'push', '-q', 'origin', 'HEAD:main', 'HEAD:refs/heads/side');
  const { body: branches } = await cluster.get(`${place}/repository/branches`);
  expect(branches).toMatchObject([
    { name: 'main', commit: { id: tip } },
    { name: 'side', commit: { id: tip } },
  ]);
  expect((await cluster.get(`${place}/repository/commits`)).body).toHaveLength(3);
  await policiesIdle();
  const { body: shown } = await cluster.get(`${place}?statistics=true`);
  expect(shown).toMatchObject({ default_branch: 'main', statistics: { commit_count: 3 } });
  expect(shown.readme_url).toContain('README.md');
  const { body: events } = await cluster.get(`${place}/events`);
  expect(events.filter((event: { push_data?: object }) => event.push_data).length).toBeGreaterThan(2);
});

test.each(STORAGES)(
  'the first push to an empty project on %s chooses its default branch',
  async (storage) => {
    const project = await createOn(storage);
    const folder = await workingCopy();
    await git(
      folder,
      'push',
      '-q',
      addressOf(cluster, project.path_with_namespace, root),
      'HEAD:refs/heads/trunk',
    );
    expect((await cluster.get(`/projects/${project.id}`)).body.default_branch).toBe('trunk');
  },
);

test('lists contain the projects of every storage, whichever instance answers', async () => {
  const user = await createUser(cluster);
  const group = await createGroup(cluster, { token: user.token });
  const mine = new Set<number>();
  const ours = new Set<number>();
  for (const storage of STORAGES) {
    ours.add((await createOn(storage, { namespace_id: group.id })).id);
    const { body } = await cluster.post('/projects', { name: `mine-${storage}` }, { token: user.token });
    mine.add(body.id);
  }
  const idsOf = async (path: string) =>
    new Set((await cluster.get(path, { token: user.token })).body.map(({ id }: Project) => id));
  for (let times = 0; times < 2; times++) {
    expect(await idsOf('/projects?membership=true')).toEqual(new Set([...mine, ...ours]));
    expect(await idsOf(`/users/${user.id}/projects`)).toEqual(mine);
    expect(await idsOf(`/groups/${group.id}/projects`)).toEqual(ours);
  }
});

test('a removed member is refused by both instances at once', async () => {
  for (const storage of STORAGES) {
    const project = await createOn(storage, { visibility: 'private', initialize_with_readme: true });
    const place = `/projects/${project.id}`;
    const user = await createUser(cluster);
    const his = { name: user.username, secret: user.token };
    const address = addressOf(cluster, project.path_with_namespace, his);
    const outside = await cluster.get(`${place}/repository/branches`, { token: user.token });
    expect(outside).toMatchObject({ status: 404, body: { message: '404 Project Not Found' } });
    await cluster.post(`${place}/members`, { user_id: user.id, access_level: 30 });
    expect((await cluster.get(`${place}/repository/branches`, { token: user.token })).status).toBe(200);
    const folder = await emptyFolder();
    await git(folder, 'clone', '-q', address, 'copy');
    await cluster.delete(`${place}/members/${user.id}`);
    expect((await cluster.get(`${place}/repository/branches`, { token: user.token })).status).toBe(404);
    expect((await tryGit(folder, 'clone', '-q', address, 'again')).code).not.toBe(0);
  }
});

test('projects are deleted on their storage, alone and with their group', async () => {
  const group = await createGroup(cluster);
  const inGroup: Project[] = [];
  for (const storage of STORAGES) inGroup.push(await createOn(storage, { namespace_id: group.id }));
  const alone = [await createOn('default'), await createOn('second')];
  const gone = [...alone, ...inGroup].map(({ id }) => repositoryPath(id));
  for (const path of gone)
    expect([...(await heldIn('default')), ...(await heldIn('second'))]).toContain(path);
  for (const { id } of alone) expect((await cluster.delete(`/projects/${id}`)).status).toBe(202);
  expect((await cluster.delete(`/groups/${group.id}`)).status).toBe(202);
  for (const { id } of [...alone, ...inGroup])
    expect((await cluster.get(`/projects/${id}`)).status).toBe(404);
  const left = async () =>
    [...(await heldIn('default')), ...(await heldIn('second'))].filter((path) => gone.includes(path));
  await expect.poll(left).toEqual([]);
  const events = await cluster.store.readAll({ after: '', limit: 100_000 });
  const deleted = events.filter(
    ({ type, data }) =>
      type === 'ProjectDeleted' && gone.includes(repositoryPath((data as { projectId: number }).projectId)),
  );
  expect(deleted.map(({ data }) => (data as { storage: string }).storage).sort()).toEqual([
    'default',
    'default',
    'second',
    'second',
  ]);
  // Their names are free again.
  const again = await cluster.post('/projects', { name: alone[1]!.path_with_namespace.split('/')[1] });
  expect(again.status).toBe(201);
});

test('each instance has its own lease per policy', async () => {
  await createOn('default', { initialize_with_readme: true });
  await createOn('second', { initialize_with_readme: true });
  await policiesIdle();
  const [one, other] = cluster.replicas.repo.map(({ projectors }) => projectors.policies());
  expect(one!.map(({ policy }) => policy)).toEqual(other!.map(({ policy }) => policy));
  for (const { position, failing } of [...one!, ...other!]) {
    expect(position).not.toBe('');
    expect(failing).toBeNull();
  }
});

test('while the instance of one storage is down, the projects of the other work', async () => {
  const own = await startCluster({ storages: STORAGES });
  onTestFinished(() => own.stop());
  const readme = { initialize_with_readme: true, visibility: 'private' };
  const here = await createOn('default', readme, own);
  const there = await createOn('second', readme, own);
  const stranger = await createUser(own);
  await own.replicas.repo.pop()!.stop();
  const branches = ({ id }: Project) => own.get(`/projects/${id}/repository/branches`);
  const refused = await branches(there);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await branches(here)).status).toBe(200);
  const folder = await emptyFolder();
  await git(folder, 'clone', '-q', addressOf(own, here.path_with_namespace, root), 'here');
  const clone = await tryGit(folder, 'clone', '-q', addressOf(own, there.path_with_namespace, root), 'there');
  expect(clone.stderr).toContain('503');
  // Lists, groups and new projects are served by whoever is there.
  for (let times = 0; times < 2; times++) {
    expect((await own.get('/projects')).body).toHaveLength(2 + times);
    expect((await own.get('/users/root/projects')).status).toBe(200);
    const made = await own.post('/projects', { name: `meanwhile-${times}` });
    expect(made).toMatchObject({ status: 201, body: { repository_storage: 'default' } });
  }
  const wanted = await own.post('/projects', { name: 'there', repository_storage: 'second' });
  expect(wanted.status).toBe(503);
  // Who may not see it is not told that there is something to be away.
  for (let times = 0; times < 2; times++) {
    const hidden = await own.get(`/projects/${there.id}`, { token: stranger.token });
    expect(hidden).toMatchObject({ status: 404, body: { message: '404 Project Not Found' } });
  }
});

test('a restarted instance reconciles its own repositories and no others', async () => {
  const own = await startCluster({ storages: STORAGES });
  onTestFinished(() => own.stop());
  const group = await createGroup(own);
  const readme = { initialize_with_readme: true };
  const here = await createOn('default', readme, own);
  const there = await createOn('second', readme, own);
  await createOn('second', { ...readme, namespace_id: group.id }, own);
  await policiesIdle(own);
  const gitDir = join(own.folderOf('second'), repositoryPath(there.id));
  // A remain that only a look at the whole repository finds.
  const oid = await git(gitDir, 'rev-parse', 'refs/heads/main');
  const stray = join(gitDir, 'objects', oid.slice(0, 2), 'tmp_obj_x');
  const hasStray = () => existsSync(stray);

  await own.replicas.repo.pop()!.stop();
  await writeFile(stray, '');
  // What happens in the other storage does not make this one's stop an unclean one.
  const file = { branch: 'main', content: 'x', commit_message: 'Meanwhile' };
  expect((await own.post(`/projects/${here.id}/repository/files/x`, file)).status).toBe(201);
  await own.startStorage('second');
  expect(hasStray()).toBe(true);

  await own.replicas.repo.pop()!.stop();
  await rm(join(own.folderOf('second'), 'clean-stop'));
  // What was deleted meanwhile is deleted when it is back.
  expect((await own.delete(`/groups/${group.id}`)).status).toBe(202);
  await own.startStorage('second');
  expect(hasStray()).toBe(false);
  await expect.poll(() => heldIn('second', own)).toEqual([repositoryPath(there.id)]);
  expect(await heldIn('default', own)).toEqual([repositoryPath(here.id)]);
});

/** A gateway that was told other addresses of repo than there are; `of` gets the true ones. */
async function misled(of: (urls: readonly string[]) => string): Promise<Cluster> {
  const environment: Record<string, string> = {};
  const urls: string[] = [];
  const own = await startCluster({
    storages: STORAGES,
    environment,
    async addressOf(service, url) {
      if (service === 'repo') urls.push(url);
      // The last one before the gateway.
      if (service === 'ci') environment.REPO_URL = of(urls);
      return url;
    },
  });
  onTestFinished(() => own.stop());
  return own;
}

/** From its event alone: the gateway that is misled could not have it made. */
async function recordProject(storage: string, on: Cluster): Promise<Project> {
  const project = { projectId: 77, namespaceId: 1, ownerId: 1, creatorId: 1, name: 'p', path: 'p' };
  const data = { ...project, fullPath: 'root/p', description: null, visibility: 'private', storage };
  await on.replicas.repo[0]!.ports.commands.append(
    'project-77',
    'no-stream',
    [{ type: 'ProjectCreated', data: { ...data, defaultBranch: null, settings: {} } }],
    SYSTEM_METADATA,
  );
  return { id: 77, path_with_namespace: 'root/p', repository_storage: storage };
}

test.each([
  ['addresses are swapped', ([one, other]: readonly string[]) => `default=${other},second=${one}`],
  ['a storage has no address', ([one]: readonly string[]) => `default=${one}`],
  ['another storage has its address', ([one, other]: readonly string[]) => `default=${one},third=${other}`],
])('where %s, no project shows as an empty or a lost one', async (_, addresses) => {
  const own = await misled(addresses);
  const stranger = await createUser(own);
  const project = await recordProject('second', own);
  const place = `/projects/${project.id}`;
  for (const path of [place, `${place}/repository/branches`, `${place}/repository/tree`]) {
    const refused = await own.get(path);
    expect(refused).toMatchObject({
      status: 503,
      body: { message: '503 Service Unavailable - the storage of this repository cannot be reached' },
    });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await own.get(path, { token: stranger.token })).status).toBe(404);
  }
  const address = addressOf(own, project.path_with_namespace, root);
  const folder = await workingCopy();
  for (const args of [
    ['clone', '-q', address, 'copy'],
    ['push', '-q', address, 'HEAD:main'],
  ])
    expect((await tryGit(folder, ...args)).stderr).toContain('503');
  expect(await heldIn('default', own)).not.toContain(repositoryPath(project.id));
});

test('a starting instance is skipped if others can answer', async () => {
  const log = valve();
  const environment: Record<string, string> = {};
  const targets: string[] = [];
  const urls: string[] = [];
  let door: Balancer | undefined;
  let started: Promise<unknown> | undefined;
  const own = await startCluster({
    storages: STORAGES,
    environment,
    logOf: (store, process) => (process === 'repo-1' ? log.logOf(store) : store),
    async addressOf(service, url) {
      if (service !== 'repo' || urls.push(url) === 1) return url;
      targets.push(url);
      door = await balance(targets);
      return door.url;
    },
  });
  onTestFinished(async () => {
    log.go();
    await started?.catch(() => {});
    await own.stop();
    await door?.close();
  });
  const project = await createOn('second', {}, own);
  await own.replicas.repo.pop()!.stop();
  const { port, release } = await holdPort();
  environment.PORT = String(port);
  targets[0] = `http://127.0.0.1:${port}`;
  await release();
  log.stop();
  started = own.startStorage('second');
  const readiness = () =>
    fetch(`${targets[0]}/-/readiness`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(readiness).toBe(503);
  for (let times = 0; times < 2; times++) expect((await own.get('/projects')).status).toBe(200);
  for (const name of ['one', 'other'])
    expect((await own.post('/projects', { name })).body).toMatchObject({ repository_storage: 'default' });
  const waiting = await own.get(`/projects/${project.id}`);
  expect(waiting).toMatchObject({ status: 503, body: { message: '503 Service Unavailable - starting' } });
  expect(waiting.headers.get('retry-after')).toBe('1');
  log.go();
  await started;
  expect((await own.get(`/projects/${project.id}`)).status).toBe(200);
});
