import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, restore, startCommand } from '../support/backups.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { formWith } from '../support/form-with.ts';
import { emptyFolder, git } from '../support/stock-git.ts';
import { expectSound, verify } from '../support/verify.ts';

const SECRET_KEY = 'the secret key of the tests of backups';
const METRICS_TOKEN = 'metrics-token-of-tests';

let dataDir: string;
let forgelog: Forgelog;
/** A first one, for tests of restores. */
let backup: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'forgelog-backup-'));
  backup = await mkdtemp(join(tmpdir(), 'forgelog-backup-'));
  forgelog = await serving(dataDir);
  await newProject('first');
  await backUp(dataDir, backup);
});
afterAll(async () => {
  await forgelog.stop();
  for (const folder of [dataDir, backup]) await rm(folder, { recursive: true });
});

const serving = (folder: string) =>
  startForgelog({
    dataDir: folder,
    openStores: openEmbeddedStores,
    environment: { SECRET_KEY, METRICS_TOKEN },
  });

async function newProject(name: string): Promise<{ id: number; path: string }> {
  const { body } = await forgelog.post('/projects', {
    name,
    visibility: 'public',
    initialize_with_readme: true,
  });
  return { id: body.id, path: body.path_with_namespace };
}

const commit = (id: number, path: string, content: string) =>
  forgelog.post(`/projects/${id}/repository/files/${path}`, {
    branch: 'main',
    content,
    commit_message: path,
  });

/** The contents of a file by REST, and by a clone of stock git. */
async function contentsOf(server: Forgelog, { id, path }: { id: number; path: string }, file: string) {
  const raw = await server.get(`/projects/${id}/repository/files/${file}/raw?ref=main`);
  const folder = await emptyFolder();
  await git(folder, 'clone', '-q', `${server.url}/${path}.git`, 'copy');
  return [raw.text, await readFile(join(folder, 'copy', file), 'utf8')];
}

async function restored(folder: string, ...args: string[]) {
  const target = join(await emptyFolder(), 'data');
  const run = await restore(folder, target, ...args);
  return { ...run, target };
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

const contentsIn = async (folder: string) =>
  (await readdir(join(folder, 'data'), { recursive: true })).filter((name) => name.length > 64).sort();

test('a backup beside a running server, restored, has everything of it', async () => {
  const folder = await emptyFolder();
  const project = await newProject('whole');
  await commit(project.id, 'a', 'one');
  await forgelog.post(`/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  await forgelog.post(`/projects/${project.id}/issues`, { title: 'Kept' });
  const upload = await forgelog.post(
    `/projects/${project.id}/uploads`,
    formWith({ name: 'u.txt', content: 'uploaded' }),
  );
  const fork = (await forgelog.post(`/projects/${project.id}/fork`, { name: 'fork', path: 'fork' })).body;
  await expect
    .poll(async () => (await forgelog.get(`/projects/${fork.id}`)).body.import_status)
    .toBe('finished');
  const run = await backUp(dataDir, folder);
  expect(run).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/The backup has \d+ files and the log up to/),
  });

  const target = join(await emptyFolder(), 'data');
  expect(await startCommand('restore', [folder, target]).ended).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Everything is restored\.\n$/),
  });
  await expectSound(target);
  const again = await serving(target);
  try {
    expect(await contentsOf(again, project, 'a')).toEqual(['one', 'one']);
    expect(await contentsOf(again, { id: fork.id, path: fork.path_with_namespace }, 'a')).toEqual([
      'one',
      'one',
    ]);
    expect((await again.get(`/projects/${project.id}/repository/tags/v1`)).status).toBe(200);
    expect((await again.get(`/projects/${project.id}/issues/1`)).body.title).toBe('Kept');
    const uploaded = await fetch(`${again.url}${upload.body.full_path}`, {
      headers: { 'PRIVATE-TOKEN': again.rootToken },
    });
    expect(await uploaded.text()).toBe('uploaded');
    expect((await again.post('/projects', { name: 'after' })).status).toBe(201);
  } finally {
    await again.stop();
  }
});

test('a later backup adds what is new, and leaves what was there as it was', async () => {
  const folder = await emptyFolder();
  const project = await newProject('grows');
  await backUp(dataDir, folder);
  const before = await contentsIn(folder);
  const facts = await Promise.all(before.map((name) => stat(join(folder, 'data', name))));
  await commit(project.id, 'b', 'two');
  expect((await backUp(dataDir, folder)).code).toBe(0);
  const after = await contentsIn(folder);
  // A file, a folder and a commit, the log's last segment in place of the earlier one, and the access log.
  expect(after.length - before.length).toBeLessThan(6);
  const kept = before.filter((name) => after.includes(name));
  expect(kept.length).toBeGreaterThanOrEqual(before.length - 2);
  for (const name of kept)
    expect((await stat(join(folder, 'data', name))).mtimeMs).toBe(facts[before.indexOf(name)]!.mtimeMs);
  const { target, code } = await restored(folder);
  expect(code).toBe(0);
  await expectSound(target);
});

test('--until brings back a project that was deleted, by position and by time', async () => {
  const folder = await emptyFolder();
  const project = await newProject('doomed');
  await commit(project.id, 'a', 'precious');
  await backUp(dataDir, folder);
  const position = await forgelog.system.store.head();
  const time = new Date().toISOString();
  await forgelog.delete(`/projects/${project.id}`);
  const objects = join(dataDir, 'repositories', repositoryPath(project.id));
  await expect.poll(() => isThere(objects)).toBe(false);
  expect((await backUp(dataDir, folder)).code).toBe(0);

  for (const until of [String(Number(position)), time]) {
    const { target, code, stdout } = await restored(folder, '--until', until);
    expect(stdout).toContain(`The log ends at position ${Number(position)}`);
    expect(code).toBe(0);
    await expectSound(target);
    const again = await serving(target);
    expect(await contentsOf(again, project, 'a').finally(() => again.stop())).toEqual([
      'precious',
      'precious',
    ]);
  }
  const now = await restored(folder);
  expect(now.code).toBe(0);
  await expectSound(now.target);
  const again = await serving(now.target);
  expect((await again.get(`/projects/${project.id}`).finally(() => again.stop())).status).toBe(404);

  // What is gone is kept no longer than asked for; then the restore names what it cannot bring back.
  expect((await backUp(dataDir, folder, '--keep', '0')).code).toBe(0);
  const late = await restored(folder, '--until', time);
  expect(late.code).toBe(1);
  expect(late.stdout).toMatch(
    new RegExp(`Project ${project.id} .* lacks 1 of 1 refs: refs/heads/main is not at`),
  );
});

test('an append of several events is restored whole or not at all', async () => {
  const folder = await emptyFolder();
  const { id } = await newProject('pushed');
  const events = await forgelog.system.store.readAll({ after: '', limit: 10_000 });
  const same = (at: number) =>
    events[at]!.stream === events[at + 1]?.stream && events[at]!.time === events[at + 1]?.time;
  const within = events.findLastIndex((_, at) => same(at));
  expect(within, `project ${id} was created by several events`).toBeGreaterThan(0);
  await backUp(dataDir, folder);
  const { stdout, target } = await restored(folder, '--until', events[within]!.position);
  let first = within;
  while (same(first - 1)) first -= 1;
  expect(stdout).toContain(`The log ends at position ${first}, `);
  await expectSound(target);
});

test('neither secrets nor the key are in a backup, and its settings are', async () => {
  const folder = await emptyFolder();
  const { body } = await forgelog.get('/user');
  expect(body.username).toBe('root');
  const secrets = {
    SECRET_KEY,
    METRICS_TOKEN,
    ROOT_TOKEN: forgelog.rootToken,
    ROOT_PASSWORD: 'password-of-root',
  };
  await startCommand('backup', [folder], { DATA_DIR: dataDir, MAX_UPLOAD_MB: '77', ...secrets }).ended;
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8');
  expect(JSON.parse(manifest).settings).toEqual({ DATA_DIR: dataDir, MAX_UPLOAD_MB: '77' });
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    const facts = await stat(path);
    expect(facts.mode & 0o077, `${name} is for its owner alone`).toBe(0);
    if (!facts.isFile()) continue;
    const bytes = await readFile(path);
    for (const secret of Object.values(secrets)) expect(bytes.includes(secret), name).toBe(false);
  }
});

test('metrics tell age and size of each folder’s backup', async () => {
  const folder = await emptyFolder();
  await backUp(dataDir, folder);
  const response = await fetch(`${forgelog.url}/-/metrics`, {
    headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const text = await response.text();
  const reading = (name: string) =>
    Number(new RegExp(`^${name}\\{folder="${folder}"\\} (\\S+)$`, 'm').exec(text)?.[1]);
  expect(reading('forgelog_backup_age_seconds')).toBeGreaterThanOrEqual(0);
  expect(reading('forgelog_backup_size_bytes')).toBe(
    JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')).bytes,
  );
});

test('what is damaged in a backup is named, and what is not is restored', async () => {
  const folder = await emptyFolder();
  const project = await newProject('hurt');
  await commit(project.id, 'a', 'hurt');
  await backUp(dataDir, folder);
  const names = await contentsIn(folder);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, 'data', name))));
  const smallest = names[sizes.findIndex(({ size }) => size === Math.min(...sizes.map((one) => one.size)))]!;
  await appendFile(join(folder, 'data', smallest), 'x');
  const { code, stdout } = await restored(folder);
  expect(code).toBe(1);
  expect(stdout).toMatch(/is not restored: .* is damaged\./);

  const index = (await readdir(folder)).find((name) => name.startsWith('index-'))!;
  await appendFile(join(folder, index), 'x');
  expect(await restored(folder)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/list of the backup, is damaged/),
  });
});

test.each<
  [what: string, prepare: (folder: string, target: string) => Promise<unknown>, args: string[], said: RegExp]
>([
  ['a folder without a backup', (folder) => rm(join(folder, 'manifest.json')), [], /holds no backup/],
  [
    'a data folder with data',
    async (_, target) => {
      await mkdir(target);
      await writeFile(join(target, 'events.db'), '');
    },
    [],
    /holds data \(events\.db\)\. Restore into an empty folder/,
  ],
  ['a point that is none', async () => {}, ['--until', 'yesterday'], /--until yesterday: give a time/],
  ['a time before the log', async () => {}, ['--until', '2001-01-01T00:00:00Z'], /the log begins later/],
  [
    'a position of another log',
    async () => {},
    ['--until', 'p00000000-0000000-0000000000000003'],
    /of another log/,
  ],
  [
    'a manifest of a later version',
    (folder) => writeFile(join(folder, 'manifest.json'), '{"format":2}'),
    [],
    /later version/,
  ],
])('a restore refuses %s', async (_, prepare, args, said) => {
  const folder = await emptyFolder();
  await cp(backup, folder, { recursive: true });
  const target = join(await emptyFolder(), 'data');
  await prepare(folder, target);
  expect(await restore(folder, target, ...args)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(said),
  });
});

test('a restore that was killed is no data folder, and the next one begins anew', async () => {
  const target = join(await emptyFolder(), 'data');
  const { child, ended } = startCommand('restore', [backup, target]);
  await expect.poll(() => readdir(target).catch(() => []), { interval: 1 }).toContain('restore-unfinished');
  child.kill('SIGKILL');
  expect((await ended).code).toBe('SIGKILL');
  expect((await verify(target)).problems.join()).toMatch(/holds no log|has not ended/);
  await expect(serving(target)).rejects.toThrow(/has not ended. Run `npm run restore` again/);
  expect((await restore(backup, target)).code).toBe(0);
  await expectSound(target);
});

test('a backup of another server, or of a log that lost events, is not taken over the earlier one', async () => {
  const folder = await emptyFolder();
  const other = join(await emptyFolder(), 'data');
  const old = await emptyFolder();
  await serving(other).then((server) => server.stop());
  const log = new DatabaseSync(join(dataDir, 'events.db'), { readOnly: true });
  log.prepare('VACUUM INTO ?').run(join(old, 'events.db'));
  log.close();
  const project = await newProject('later');
  await backUp(dataDir, folder);
  const refused = async (from: string, said: RegExp) =>
    expect(await backUp(from, folder)).toMatchObject({ code: 1, stderr: expect.stringMatching(said) });
  await refused(other, /backup of another server/);
  await refused(await emptyFolder(), /holds no log/);
  // An old copy of the log was put in place, without an epoch.
  await refused(old, /events that the log in .* has lost/);
  const { target: kept } = await restored(folder);
  await expectSound(kept);
  expect((await startCommand('epoch', [], { DATA_DIR: old }).ended).code).toBe(0);
  expect((await backUp(old, folder)).code).toBe(0);
  const { code, target } = await restored(folder);
  expect(code).toBe(0);
  const again = await serving(target);
  expect((await again.get(`/projects/${project.id}`).finally(() => again.stop())).status).toBe(404);
});

test('where the log is elsewhere, files are backed up before and after it, and restored beside it', async () => {
  const folder = await emptyFolder();
  const elsewhere = { DATA_DIR: dataDir, EVENTSTORE_URL: 'esdb://nobody-asks:2113' };
  const run = () => startCommand('backup', [folder], elsewhere).ended;
  const project = await newProject('apart');
  await commit(project.id, 'a', 'apart');
  expect(await run()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The log is in EventStoreDB'),
  });
  const time = new Date().toISOString();
  const log = new DatabaseSync(join(dataDir, 'events.db'), { readOnly: true });
  const kept = join(await emptyFolder(), 'events.db');
  log.prepare('VACUUM INTO ?').run(kept);
  log.close();
  await forgelog.delete(`/projects/${project.id}`);
  const objects = join(dataDir, 'repositories', repositoryPath(project.id));
  await expect.poll(() => isThere(objects)).toBe(false);
  expect((await run()).code).toBe(0);
  const { target, code } = await restored(folder, '--until', time);
  expect(code).toBe(0);
  await cp(kept, join(target, 'events.db'));
  expect((await startCommand('epoch', [], { DATA_DIR: target }).ended).code).toBe(0);
  const again = await serving(target);
  expect(await contentsOf(again, project, 'a').finally(() => again.stop())).toEqual(['apart', 'apart']);
  await expectSound(target);
});

test('a disk without space is refused before anything is written', async () => {
  const folder = await emptyFolder();
  const crowded = await emptyFolder();
  await cp(dataDir, crowded, { recursive: true, filter: (path) => !/\.(lock|open)$/.test(path) });
  await mkdir(join(crowded, 'objects/aa/bb'), { recursive: true });
  await writeFile(join(crowded, 'objects/aa/bb/large'), '');
  // Sparse: larger than the disk, and takes nothing of it.
  await truncate(join(crowded, 'objects/aa/bb/large'), 2 ** 43);
  await cp(backup, folder, { recursive: true });
  const before = await contentsIn(folder);
  expect(await backUp(crowded, folder)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has \d+ MiB free, and \d+ MiB are needed\. Nothing was changed/),
  });
  expect(await contentsIn(folder)).toEqual(before);
  expect((await restored(folder)).code).toBe(0);
});
