import { execFile } from 'node:child_process';
import { access, chmod, cp, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FaultServer, type FaultWorld, faultWorld } from '../support/fault-world.ts';
import { startForgelog } from '../support/forgelog.ts';
import { apiOf, ROOT_TOKEN } from '../support/mixed-load.ts';
import { PROGRAM_ENVIRONMENT } from '../support/server-process.ts';
import { git } from '../support/stock-git.ts';
import { repair, verify } from '../support/verify.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const run = promisify(execFile);
const program = resolve(import.meta.dirname, '../../infra/src/verify.ts');

let folder: string;
/** A data folder with a repository of some refs for each damage, and one with the first alone; their servers stopped. */
let sound: string;
let single: string;
let refs: Map<number, string>;
let world: FaultWorld;

/** A file of the repository of a project. */
type FileOf = (path: string) => string;
const fileOf =
  (projectId: number): FileOf =>
  (path) =>
    join(world.dataDir, 'repositories', repositoryPath(projectId), path);
const file = fileOf(1);

const broken: readonly [what: string, damage: (file: FileOf) => Promise<unknown>][] = [
  ['a ref file of no length', (file) => truncate(file('refs/heads/main'))],
  ['a ref file of zero bytes', (file) => writeFile(file('refs/heads/topic/one'), '\0'.repeat(41))],
  ['a ref file that was cut off', (file) => truncate(file('refs/tags/v1'), 20)],
  ['a ref file of garbage', (file) => writeFile(file('refs/heads/next'), 'garbage\n')],
  ['a ref that is symbolic', (file) => writeFile(file('refs/heads/next'), 'ref: refs/heads/nowhere\n')],
  ['a ref that names no object', (file) => writeFile(file('refs/heads/next'), `${'b'.repeat(40)}\n`)],
  ['a tag that was moved by hand', (file) => git(file('.'), 'tag', '-f', 'v1', 'HEAD^{tree}')],
  ['a new ref of no length', (file) => writeFile(file('refs/heads/never'), '')],
  ['packed refs of garbage', (file) => writeFile(file('packed-refs'), 'garbage\n')],
  [
    'packed refs that were emptied',
    async (file) => {
      await git(file('.'), 'pack-refs', '--all');
      await truncate(file('packed-refs'));
    },
  ],
  [
    'several bad refs beside a missing one',
    async (file) => {
      await truncate(file('refs/heads/main'));
      await truncate(file('refs/heads/topic/one'));
      await rm(file('refs/heads/next'));
    },
  ],
  ['a HEAD of no length', (file) => truncate(file('HEAD'))],
  ['no HEAD', (file) => rm(file('HEAD'))],
  ['a HEAD that names another branch', (file) => writeFile(file('HEAD'), 'ref: refs/heads/next\n')],
  ['a config of no length', (file) => truncate(file('config'))],
  ['no refs at all', (file) => rm(file('refs'), { recursive: true })],
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forgelog-sound-'));
  [sound, single] = [join(folder, 'sound'), join(folder, 'single')];
  await seed(1, 1);
  await cp(sound, single, { recursive: true });
  await seed(2, broken.length);
  refs = await allRefs(sound);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function seed(first: number, last: number): Promise<void> {
  const forgelog = await startForgelog({ dataDir: sound, openStores: openEmbeddedStores });
  for (let id = first; id <= last; id++) {
    await forgelog.post('/projects', { name: `p${id}`, initialize_with_readme: true });
    for (const branch of ['next', 'topic/one'])
      await forgelog.post(`/projects/${id}/repository/branches`, { branch, ref: 'main' });
    await forgelog.post(`/projects/${id}/repository/tags`, { tag_name: 'v1', ref: 'main', message: 'One' });
  }
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  await forgelog.stop();
}

const refsIn = (gitDir: string) => git(gitDir, 'for-each-ref', '--format=%(objectname) %(refname)');

async function allRefs(dataDir: string): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (let id = 1; id <= broken.length; id++)
    found.set(id, await refsIn(join(dataDir, 'repositories', repositoryPath(id))));
  return found;
}

/** Every damage, each to a repository of its own, and that each is found. */
async function damageAll(): Promise<void> {
  for (const [at, [, damage]] of broken.entries()) await damage(fileOf(at + 1));
  const { problems } = await verify(world.dataDir);
  for (const [at, [what]] of broken.entries()) {
    const path = repositoryPath(at + 1);
    const mendable = problems.filter(
      (problem) => problem.includes(path) && /npm run repair|the next start mends it/.test(problem),
    );
    expect(mendable.length, what).toBeGreaterThan(0);
  }
}

/** Stops the server of this very folder, and lets the clock go on: change times have the grain of its tick. */
async function stopped(server: FaultServer): Promise<void> {
  expect(await server.stop()).toBe(0);
  await sleep(20);
}

test('a start after a clean stop repairs later damage, each repository independently', async () => {
  world = await faultWorld(sound);
  await stopped(await world.start());
  await damageAll();
  expect(await world.inspect(async () => [])).toEqual([]);
  expect(await allRefs(world.dataDir)).toEqual(refs);
});

test('a start after a crash repairs damage, each repository independently', async () => {
  world = await faultWorld(sound);
  await (await world.start()).killAll();
  await damageAll();
  expect(await world.inspect(async () => [])).toEqual([]);
  expect(await allRefs(world.dataDir)).toEqual(refs);
});

test('`npm run repair` repairs damage and reports it', async () => {
  world = await faultWorld(sound);
  await damageAll();
  const { stdout } = await run(process.execPath, [program, '--repair', world.dataDir], {
    env: PROGRAM_ENVIRONMENT,
  });
  for (const [at] of broken.entries()) expect(stdout).toContain(`project ${at + 1} (`);
  expect(stdout).toMatch(/mended: [\s\S]*No problem was found\.\n$/);
  expect(await allRefs(world.dataDir)).toEqual(refs);
  expect((await verify(world.dataDir)).problems).toEqual([]);
});

test('an older copy of a repository is rolled forward by the next start', async () => {
  world = await faultWorld(single);
  const copy = join(world.folder, 'copy.git');
  await git(world.folder, 'clone', '-q', '--mirror', file('.'), copy);
  const server = await world.start();
  const json = { branch: 'newer', ref: 'main' };
  expect((await apiOf(server.address)('POST', '/projects/1/repository/branches', json)).status).toBe(201);
  await stopped(server);
  const newer = await refsIn(file('.'));
  await rm(file('.'), { recursive: true });
  await mkdir(file('.'));
  await git(world.folder, 'clone', '-q', '--mirror', copy, file('.'));
  expect(await refsIn(file('.'))).not.toBe(newer);
  expect(await world.inspect(async () => [])).toEqual([]);
  expect(await refsIn(file('.'))).toBe(newer);
});

test('a lost object does not block the repair of other refs, and is reported with a remedy', async () => {
  world = await faultWorld(single);
  const clone = join(world.folder, 'clone');
  const second = await secondCommit(clone);
  const object = file(`objects/${second.slice(0, 2)}/${second.slice(2)}`);
  await chmod(object, 0o644);
  await truncate(object);
  await truncate(file('refs/heads/next'));
  await truncate(file('refs/heads/topic/one'));
  for (const { problems, output } of [await repair(world.dataDir), await verify(world.dataDir)]) {
    expect(problems.join('\n')).toMatch(
      /refs\/heads\/next .* object [0-9a-f]{40} is not in the repository; put its objects back from a backup, or push/,
    );
    expect(output).not.toContain('topic/one of');
  }
  expect((await refsIn(file('.'))).split('\n')).toHaveLength(3);
  // Said at each start, until it is there again: a stop leaves no mark then.
  for (let start = 0; start < 2; start++) {
    const server = await world.start();
    await server.stop();
    expect(server.output()).toContain(`object ${second} is not in the repository`);
  }
  // Pushed again it is back; a ref that was recorded already causes no second event.
  const wrong = await world.inspect(async (server) => {
    await git(clone, 'push', '-q', urlOf(server), 'next');
    return [];
  });
  expect(wrong).toEqual([]);
  expect(await refsIn(file('.'))).toContain(`${second} refs/heads/next`);
});

/** A commit on `next` that no other ref reaches, through the API, and a clone that has it; gives its id. */
async function secondCommit(clone: string): Promise<string> {
  const server = await world.start();
  const json = { branch: 'next', content: 'x', commit_message: 'Second' };
  await apiOf(server.address)('POST', '/projects/1/repository/files/second', json);
  await git(world.folder, 'clone', '-q', '-b', 'next', urlOf(server), clone);
  await stopped(server);
  return git(clone, 'rev-parse', 'HEAD');
}

const urlOf = ({ address }: FaultServer) => `${address.replace('://', `://root:${ROOT_TOKEN}@`)}/root/p1.git`;

test('a copy of a cleanly stopped folder is checked completely', async () => {
  await access(join(sound, 'repositories/clean-stop'));
  world = await faultWorld(sound);
  const server = await world.start({ environment: { LOG_LEVEL: 'info' } });
  expect(await server.stop()).toBe(0);
  expect(server.output()).toContain(`"repositories":${broken.length},"msg":"repositories looked at"`);
  const again = await world.start({ environment: { LOG_LEVEL: 'info' } });
  expect(await again.stop()).toBe(0);
  expect(again.output()).not.toContain('repositories looked at');
});
