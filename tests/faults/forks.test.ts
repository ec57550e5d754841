import { readdirSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { endOf, type FaultServer, type FaultWorld, faultWorld } from '../support/fault-world.ts';
import { apiOf, ROOT_TOKEN } from '../support/mixed-load.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { git, tryGit } from '../support/stock-git.ts';
import { hasStrace, injecting } from '../support/strace.ts';

vi.setConfig({ testTimeout: 900_000 });

const program = resolve(import.meta.dirname, '../support/stopping-server.ts');
const ORIGIN = '/projects/1';
const FORK = { name: 'fork', path: 'fork' };

const urlOf = ({ address }: FaultServer, path: string) =>
  `${address.replace('://', `://root:${ROOT_TOKEN}@`)}/root/${path}.git`;

/** An origin with branches, a tag and objects both packed and loose. */
async function prepared(world: FaultWorld): Promise<void> {
  const server = await world.start();
  const api = apiOf(server.address);
  await api('POST', '/projects', { name: 'origin', initialize_with_readme: true });
  const copy = join(world.folder, 'copy');
  await git(world.folder, 'clone', '-q', urlOf(server, 'origin'), 'copy');
  for (let file = 0; file < 120; file += 1) await writeFile(join(copy, `f${file}`), `${file}\n`);
  await git(copy, 'add', '-A');
  await git(copy, 'commit', '-q', '-m', 'Many files');
  await git(copy, 'tag', 'v1');
  await git(copy, 'push', '-q', 'origin', 'HEAD:main', 'HEAD:side', 'v1');
  await server.stop();
}

/** What is wrong: the fork is there with all of its origin, or not at all and its name is free. */
async function checkFork(world: FaultWorld, server: FaultServer): Promise<string[]> {
  const api = apiOf(server.address);
  const { body: known } = await api('GET', `${ORIGIN}/forks`);
  const fork =
    known[0] ??
    (await api('POST', `${ORIGIN}/fork`, FORK).then(({ status, body }) => {
      if (status !== 201) throw new Error(`cannot be forked again: ${JSON.stringify(body)}`);
      return body;
    }));
  await eventually('the fork is finished', async () => (await api('GET', `/projects/${fork.id}`)).body, {
    until: ({ import_status }) => import_status === 'finished',
  });
  const refsOf = (path: string) => git(world.folder, 'ls-remote', urlOf(server, path));
  const wrong: string[] = [];
  if ((await refsOf('fork')) !== (await refsOf('origin'))) wrong.push('the fork has other refs');
  await git(world.folder, 'clone', '-q', '--mirror', urlOf(server, 'fork'), `clone-${Date.now()}`);
  // A repository that belongs to no project is removed.
  const there = await repositoriesIn(world.dataDir);
  const wanted = [1, fork.id].map((id) => join('repositories', repositoryPath(id)));
  for (const path of there) if (!wanted.includes(path)) wrong.push(`${path} is nobody's`);
  return wrong;
}

async function repositoriesIn(dataDir: string): Promise<string[]> {
  const all = await readdir(join(dataDir, 'repositories/@hashed'), { recursive: true });
  return all.filter((path) => /^..\/..\/[^/]+$/.test(path)).map((path) => join('repositories/@hashed', path));
}

test.each([
  ['before', 'ProjectCreated'],
  ['after', 'ProjectCreated'],
  ['before', 'RefUpdated'],
  ['after', 'RefUpdated'],
])('killed %s the append of %s, a fork is whole or absent after the next start', async (at, type) => {
  const world = await faultWorld();
  await prepared(world);
  const dying = await world.start({ program, environment: { FAULT_AT: at, FAULT_OF: type } });
  await expect(apiOf(dying.address)('POST', `${ORIGIN}/fork`, FORK)).rejects.toThrow();
  expect(await dying.ended).toBe('SIGKILL');
  expect(await world.inspect((server) => checkFork(world, server))).toEqual([]);
});

/** Calls of the server, and up to which one of them. */
const CALLS = [
  ['link', 9],
  ['rename', 4],
  ['fsync', 20],
] as const;

test.skipIf(!hasStrace)(
  'killed during a system call, a fork is whole or absent after the next start (needs strace)',
  async () => {
    const random = createRandom(faultSeed);
    for (let round = 0; round < faultRounds(1, 2 * CALLS.length); round += 1) {
      const world = await faultWorld();
      await prepared(world);
      const [call, most] = CALLS[round % CALLS.length]!;
      const when = String(1 + random.below(most));
      const { up, server } = await world.tryStart({ under: injecting(call, 'signal=KILL', when) });
      // A call that is never reached kills nobody.
      if (up) await apiOf(up.address)('POST', `${ORIGIN}/fork`, FORK).catch(() => {});
      await up?.killAll();
      await endOf(server);
      const wrong = await world.inspect((next) => checkFork(world, next));
      expect(wrong, `seed ${faultSeed}: killed in ${call} ${when}`).toEqual([]);
    }
  },
);

test('clones of a fork go on while its origin is deleted', async () => {
  const world = await faultWorld();
  await prepared(world);
  const server = await world.start();
  const api = apiOf(server.address);
  expect((await api('POST', `${ORIGIN}/fork`, FORK)).status).toBe(201);
  const cloned = (name: string) =>
    tryGit(world.folder, 'clone', '-q', '--mirror', urlOf(server, 'fork'), name);
  const clones = Array.from({ length: 4 }, (_, at) => cloned(`during-${at}`));
  expect((await api('DELETE', ORIGIN)).status).toBe(202);
  expect((await Promise.all(clones)).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const gone = join(world.dataDir, 'repositories', repositoryPath(1));
  await eventually('the origin is removed', async () => readdirSync(join(gone, '..')), {
    until: (names) => !names.some((name) => gone.endsWith(name)),
  });
  expect(await cloned('after')).toMatchObject({ code: 0 });
  await server.stop();
  expect(
    await git(join(world.dataDir, 'repositories', repositoryPath(2)), 'fsck', '--full', '--strict'),
  ).toBe('');
});
