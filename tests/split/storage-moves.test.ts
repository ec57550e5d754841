import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGroup, createUser } from '../support/accounts.ts';
import { ROOT_TOKEN } from '../support/calls.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { formWith } from '../support/form-with.ts';
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
}

let counter = 0;
async function createOn(storage: string, given: object = {}): Promise<Project> {
  const name = `moves-${++counter}`;
  const made = await cluster.post('/projects', { name, repository_storage: storage, ...given });
  expect(made).toMatchObject({ status: 201, body: { repository_storage: storage } });
  return made.body;
}

const folderIn = (storage: string, { id }: Project) => join(cluster.folderOf(storage), repositoryPath(id));
const storageOf = async ({ id }: Project) =>
  (await cluster.get(`/projects/${id}`)).body.repository_storage as string;
const addressFor = ({ path_with_namespace: path }: Project) => addressOf(cluster, path, root);

async function move(project: Project, destination: string) {
  const asked = { destination_storage_name: destination };
  const made = await cluster.post(`/projects/${project.id}/repository_storage_moves`, asked);
  expect(made).toMatchObject({ status: 201, body: { destination_storage_name: destination } });
  return made.body;
}

const stateOf = async (id: number) =>
  (await cluster.get(`/project_repository_storage_moves/${id}`)).body as {
    state: string;
    error_message: string | null;
  };

async function finished(id: number): Promise<void> {
  await expect
    .poll(async () => stateOf(id), { timeout: 60_000 })
    .toMatchObject({ state: expect.stringMatching(/^(finished|failed|cleanup_failed)$/) });
  expect(await stateOf(id)).toMatchObject({ state: 'finished', error_message: null });
}

/** Every object of a repository, whether a ref reaches it or not. */
async function objectsIn(gitDir: string): Promise<string[]> {
  const all = await git(
    gitDir,
    'cat-file',
    '--batch-all-objects',
    '--unordered',
    '--batch-check=%(objectname)',
  );
  return [...new Set(all.split('\n'))].sort();
}

const refsIn = async (gitDir: string) =>
  (await git(gitDir, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags')).split(
    '\n',
  );

test('a project moves with every object, its refs, uploads and avatar, and goes on where it is', async () => {
  const project = await createOn('second', { initialize_with_readme: true });
  const place = `/projects/${project.id}`;
  const folder = join(await emptyFolder(), 'copy');
  await git('.', 'clone', '-q', addressFor(project), folder);
  for (let file = 0; file < 150; file += 1) await writeFile(join(folder, `f${file}`), `${file}\n`);
  await git(folder, 'add', '-A');
  const dropped = await commit(folder, 'Many files');
  await git(folder, 'tag', 'v1');
  await git(folder, 'push', '-q', 'origin', 'HEAD:main', 'HEAD:side', 'v1');
  await git(folder, 'push', '-q', 'origin', ':side');
  const upload = await cluster.post(`${place}/uploads`, formWith({ name: 'notes.txt' }));
  expect(upload.status).toBe(201);
  const before = {
    objects: await objectsIn(folderIn('second', project)),
    refs: await refsIn(folderIn('second', project)),
  };
  expect(before.objects).toContain(dropped);

  const { id } = await move(project, 'default');
  await finished(id);
  expect(await storageOf(project)).toBe('default');
  expect(existsSync(folderIn('second', project))).toBe(false);
  const there = folderIn('default', project);
  expect(await objectsIn(there)).toEqual(before.objects);
  expect(await refsIn(there)).toEqual(before.refs);
  expect(await tryGit(there, 'fsck', '--strict', '--full')).toMatchObject({ code: 0 });
  const sent = await fetch(`${cluster.url}${upload.body.full_path}`, {
    headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
  });
  expect(sent.status).toBe(200);

  const tip = await commit(folder, 'Pushed after the move');
  await git(folder, 'push', '-q', 'origin', 'HEAD:main');
  const file = { branch: 'main', content: 'text', commit_message: 'By the API' };
  expect((await cluster.post(`${place}/repository/files/by-api.txt`, file)).status).toBe(201);
  await git(folder, 'fetch', '-q', 'origin');
  expect(await git(folder, 'rev-parse', 'origin/main~1')).toBe(tip);

  // And back again, to where it was before.
  await finished((await move(project, 'second')).id);
  expect(await storageOf(project)).toBe('second');
  expect(existsSync(folderIn('default', project))).toBe(false);
  expect(await tryGit(folder, 'fetch', '-q', 'origin')).toMatchObject({ code: 0 });
  const states = (await cluster.get(`${place}/repository_storage_moves`)).body;
  expect(states.map(({ state }: { state: string }) => state)).toEqual(['finished', 'finished']);
  expect(states[0].project).toMatchObject({
    id: project.id,
    path_with_namespace: project.path_with_namespace,
  });
});

test('pushes, commits and clones go on while a project moves, and nothing that was answered is lost', async () => {
  const project = await createOn('default', { initialize_with_readme: true });
  const place = `/projects/${project.id}`;
  const folder = join(await emptyFolder(), 'copy');
  await git('.', 'clone', '-q', addressFor(project), folder);
  const wanted = new Map<string, string>();
  const outcomes = { pushed: 0, held: 0, written: 0, refused: 0, cloned: 0 };
  let goesOn = true;
  const odd: string[] = [];

  async function pushing(): Promise<void> {
    for (let at = 0; goesOn; at++) {
      await writeFile(join(folder, `p${at}`), `${at}\n`.repeat(500));
      await git(folder, 'add', '-A');
      const tip = await commit(folder, `Push ${at}`);
      const ref = `refs/heads/push-${at}`;
      const { code, stderr } = await tryGit(folder, 'push', '-q', 'origin', `HEAD:${ref}`);
      if (code === 0) {
        wanted.set(ref, tip);
        outcomes.pushed += 1;
      } else if (/read-only while it moves|503/.test(stderr)) outcomes.held += 1;
      else odd.push(stderr);
    }
  }
  async function writing(): Promise<void> {
    for (let at = 0; goesOn; at++) {
      const branch = `api-${at}`;
      const file = { branch, start_branch: 'main', content: 'text', commit_message: 'By the API' };
      const { status, body } = await cluster.post(`${place}/repository/files/a${at}.txt`, file);
      if (status === 201) {
        const { body: made } = await cluster.get(`${place}/repository/branches/${branch}`);
        if (made.commit) wanted.set(`refs/heads/${branch}`, made.commit.id);
        outcomes.written += 1;
      } else if (status === 503) outcomes.refused += 1;
      else odd.push(`${status} ${JSON.stringify(body)}`);
    }
  }
  async function cloning(): Promise<void> {
    while (goesOn) {
      const into = join(await emptyFolder(), 'clone');
      const { code, stderr } = await tryGit('.', 'clone', '-q', '--mirror', addressFor(project), into);
      if (code === 0) {
        expect(await tryGit(into, 'fsck', '--connectivity-only')).toMatchObject({ code: 0 });
        outcomes.cloned += 1;
      } else if (!/503/.test(stderr)) odd.push(stderr);
    }
  }
  const load = [pushing(), writing(), cloning()];
  for (const destination of ['second', 'default']) {
    await finished((await move(project, destination)).id);
    expect(await storageOf(project)).toBe(destination);
  }
  goesOn = false;
  await Promise.all(load);
  expect(odd).toEqual([]);
  expect(outcomes.pushed).toBeGreaterThan(0);
  expect(outcomes.written).toBeGreaterThan(0);
  expect(outcomes.cloned).toBeGreaterThan(0);
  const found = new Map(
    (await git('.', 'ls-remote', addressFor(project))).split('\n').map((line) => {
      const [oid, ref] = line.split('\t');
      return [ref!, oid!];
    }),
  );
  for (const [ref, oid] of wanted) expect([ref, found.get(ref)]).toEqual([ref, oid]);
  expect(await tryGit(folderIn('default', project), 'fsck', '--strict', '--full')).toMatchObject({ code: 0 });
}, 120_000);

test('one call empties a storage, forks, empty and archived projects included', async () => {
  const origin = await createOn('second', { initialize_with_readme: true, visibility: 'public' });
  const name = `fork-${counter}`;
  const fork = (await cluster.post(`/projects/${origin.id}/fork`, { name, path: name })).body as Project;
  const empty = await createOn('second');
  const archived = await createOn('second', { initialize_with_readme: true });
  await cluster.post(`/projects/${archived.id}/archive`);
  const asked = { source_storage_name: 'second' };
  expect(await cluster.post('/project_repository_storage_moves', asked)).toMatchObject({
    status: 202,
    body: { message: '202 Accepted' },
  });
  const left = async () =>
    (await cluster.get('/projects?repository_storage=second&per_page=100')).body.map(
      ({ id }: Project) => id,
    ) as number[];
  await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  const open = async () =>
    (await cluster.get('/project_repository_storage_moves?per_page=100')).body.filter(
      ({ state }: { state: string }) => state !== 'finished',
    );
  await expect.poll(open, { timeout: 60_000 }).toEqual([]);
  for (const project of [origin, fork, empty, archived]) {
    expect(existsSync(folderIn('second', project))).toBe(false);
    expect(await tryGit(folderIn('default', project), 'fsck', '--strict')).toMatchObject({ code: 0 });
  }
  // The fork and its origin share commits where they are now.
  const file = { branch: 'feature', start_branch: 'main', content: 'x', commit_message: 'Feature' };
  expect((await cluster.post(`/projects/${fork.id}/repository/files/x.txt`, file)).status).toBe(201);
  const request = { source_branch: 'feature', target_branch: 'main', title: 'Feature' };
  const opened = await cluster.post(`/projects/${fork.id}/merge_requests`, {
    ...request,
    target_project_id: origin.id,
  });
  expect(opened.status).toBe(201);
  // Its first push chooses the default branch of what was empty.
  const folder = await workingCopy();
  await git(folder, 'push', '-q', addressFor(empty), 'HEAD:refs/heads/trunk');
  expect((await cluster.get(`/projects/${empty.id}`)).body.default_branch).toBe('trunk');
});

test('an update with another storage schedules a move, and one at a time', async () => {
  const project = await createOn('default', { initialize_with_readme: true });
  const place = `/projects/${project.id}`;
  const unknown = await cluster.put(place, { repository_storage: 'third' });
  expect(unknown).toMatchObject({
    status: 400,
    body: { message: { repository_storage: ['is not included in the list'] } },
  });
  const updated = await cluster.put(place, { repository_storage: 'second', name: `renamed-${project.id}` });
  expect(updated).toMatchObject({ status: 200, body: { name: `renamed-${project.id}` } });
  const [scheduled] = (await cluster.get(`${place}/repository_storage_moves`)).body;
  expect(scheduled).toMatchObject({ source_storage_name: 'default', destination_storage_name: 'second' });
  await finished(scheduled.id);
  expect(await storageOf(project)).toBe('second');
});

test('merge requests keep their refs, also where the project had been before', async () => {
  const project = await createOn('default', { initialize_with_readme: true });
  const place = `/projects/${project.id}`;
  const file = { branch: 'feature', start_branch: 'main', content: 'x', commit_message: 'Feature' };
  expect((await cluster.post(`${place}/repository/files/x.txt`, file)).status).toBe(201);
  const request = { source_branch: 'feature', target_branch: 'main', title: 'Feature' };
  expect((await cluster.post(`${place}/merge_requests`, request)).status).toBe(201);
  const heads = () => git('.', 'ls-remote', addressFor(project), 'refs/merge-requests/*');
  await expect.poll(heads).toContain('refs/merge-requests/1/head');
  const before = await heads();
  for (const destination of ['second', 'default']) {
    await finished((await move(project, destination)).id);
    expect(await heads()).toBe(before);
  }
  const merged = await cluster.put(`${place}/merge_requests/1/merge`, {});
  expect(merged).toMatchObject({ status: 200, body: { state: 'merged' } });
});

test('a project that is deleted while it moves leaves nothing on either storage', async () => {
  const group = await createGroup(cluster);
  const alone = await createOn('default', { initialize_with_readme: true });
  const inGroup = await createOn('second', { initialize_with_readme: true, namespace_id: group.id });
  await move(alone, 'second');
  await move(inGroup, 'default');
  expect((await cluster.delete(`/projects/${alone.id}`)).status).toBe(202);
  expect((await cluster.delete(`/groups/${group.id}`)).status).toBe(202);
  const left = () =>
    [alone, inGroup].flatMap((project) =>
      STORAGES.filter((storage) => existsSync(folderIn(storage, project))).map((storage) => [
        project.id,
        storage,
      ]),
    );
  await expect.poll(left).toEqual([]);
});

test('snippets and groups have nothing to copy, and their moves say so at once', async () => {
  const user = await createUser(cluster);
  const group = await createGroup(cluster);
  const given = { title: 'Counting', file_name: 'a.py', content: 'print(1)', visibility: 'public' };
  const { body: snippet } = await cluster.post('/snippets', given, { token: user.token });
  for (const [kind, id] of [
    ['snippet', snippet.id],
    ['group', group.id],
  ] as const) {
    const moved = await cluster.post(`/${kind}s/${id}/repository_storage_moves`, {
      destination_storage_name: 'second',
    });
    expect(moved).toMatchObject({
      status: 201,
      body: { state: 'finished', source_storage_name: 'default', [kind]: { id } },
    });
    const all = `/${kind}_repository_storage_moves`;
    expect((await cluster.post(all, { source_storage_name: 'second' })).status).toBe(202);
    const states = async () =>
      (await cluster.get(`/${kind}s/${id}/repository_storage_moves`)).body.map(
        (one: { state: string; destination_storage_name: string }) => [
          one.state,
          one.destination_storage_name,
        ],
      );
    await expect.poll(states).toEqual([
      ['finished', 'default'],
      ['finished', 'second'],
    ]);
  }
  expect((await cluster.get(`/snippets/${snippet.id}/raw`)).text).toBe('print(1)');
});

test('a storage that is none, or the same, moves nothing', async () => {
  const project = await createOn('default', { initialize_with_readme: true });
  const place = `/projects/${project.id}/repository_storage_moves`;
  expect(await cluster.post(place, { destination_storage_name: 'third' })).toMatchObject({
    status: 400,
    body: { message: { destination_storage_name: ['is not included in the list'] } },
  });
  expect(
    await cluster.post('/project_repository_storage_moves', { source_storage_name: 'third' }),
  ).toMatchObject({
    status: 400,
    body: { error: 'source_storage_name does not have a valid value' },
  });
  const same = await cluster.post(place, { destination_storage_name: 'default' });
  expect(same).toMatchObject({
    status: 201,
    body: { state: 'failed', error_message: 'The source and the destination are the same storage' },
  });
  expect(await storageOf(project)).toBe('default');
  // A failed one may be scheduled again.
  await finished((await move(project, 'second')).id);
});
