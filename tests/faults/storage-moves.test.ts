import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { openEventStoreDbEventStore } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-event-store.ts';
import { startEventStoreServer } from '@forgelog/eventing/adapters/eventstoredb/testing/server/server.ts';
import { childrenOf } from '@forgelog/git/testing/processes.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../infra/local/free-ports.ts';
import { callsTo, ROOT_TOKEN } from '../support/calls.ts';
import { eventually } from '../support/eventually.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { addressOf, commit, git, tryGit } from '../support/stock-git.ts';

const STORAGES = ['default', 'second'] as const;
type Storage = (typeof STORAGES)[number];
/** How long after the request a kill comes at most: a move of this repository takes about as long. */
const MOST_MS = 3_000;
const FILES = 300;
const root = { name: 'root', secret: ROOT_TOKEN };
const other = (storage: Storage): Storage => (storage === 'default' ? 'second' : 'default');

/** What a move needs, each part a process of its own: two instances of repo, who is who, and the gateway. */
async function startStorages() {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-moves-'));
  const log = await startEventStoreServer({ path: join(folder, 'log.db') });
  const [gateway, first, second, admin, nobody] = (await freePorts(5)).map(
    (port) => `http://127.0.0.1:${port}`,
  ) as [string, string, string, string, string];
  const common = {
    ...{ EXTERNAL_URL: gateway, EVENTSTORE_URL: log.url, SECRET_KEY: 'k'.repeat(32), ROOT_TOKEN },
    ...{
      REPO_URL: `default=${first},second=${second}`,
      ADMIN_URL: admin,
      TRACKER_URL: nobody,
      CI_URL: nobody,
    },
  };
  const running = new Map<string, ServerProcess>();

  async function startPart(
    name: string,
    service: ServiceName,
    url: string,
    more: Record<string, string> = {},
  ) {
    const environment = { ...common, DATA_DIR: join(folder, name), PORT: new URL(url).port, ...more };
    await mkdir(environment.DATA_DIR, { recursive: true });
    const program = resolve(import.meta.dirname, `../../services/${service}/src/main.ts`);
    const part = startServerProcess(environment, { program, isReady: / is ready on (\S+)/ });
    running.set(name, part);
    if ((await part.ready) === undefined) throw new Error(`${name} did not start: ${part.output()}`);
  }

  const startStorage = (storage: Storage) =>
    startPart(storage, 'repo', storage === 'default' ? first : second, { STORAGE: storage });

  /** The instance and every git below it at one moment, as an empty battery does. */
  async function kill(storage: Storage): Promise<void> {
    const { child, ended } = running.get(storage)!;
    const all = [child.pid!, ...childrenOf(child.pid!).map(({ pid }) => pid)];
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
      for (const pid of all)
        try {
          process.kill(pid, signal);
        } catch {
          // It has ended by itself.
        }
    await ended;
  }

  onTestFinished(async () => {
    for (const [name, part] of running)
      if (name === 'default' || name === 'second') await kill(name);
      else await part.stop('SIGKILL');
    await log.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await Promise.all([
    ...STORAGES.map(startStorage),
    startPart('admin', 'admin', admin),
    startPart('gateway', 'gateway', gateway),
  ]);
  return {
    ...{ url: gateway, folder, logUrl: log.url, startStorage, kill },
    gitDirOf: (storage: Storage, id: number) => join(folder, storage, 'repositories', repositoryPath(id)),
  };
}

type World = Awaited<ReturnType<typeof startStorages>>;

async function preparedProject({ url, folder }: World) {
  const calls = callsTo(url, []);
  const made = await calls.post('/projects', { name: 'moved', repository_storage: 'default' });
  expect(made.status).toBe(201);
  const project = made.body as { id: number; path_with_namespace: string };
  const copy = join(folder, 'copy');
  await mkdir(copy);
  await git(copy, 'init', '-q');
  await git(copy, 'remote', 'add', 'origin', addressOf({ url }, project.path_with_namespace, root));
  for (let at = 0; at < FILES; at += 1) await writeFile(join(copy, `f${at}`), randomBytes(40_000));
  await git(copy, 'add', '-A');
  await commit(copy, 'Many files');
  await git(copy, 'push', '-q', 'origin', 'HEAD:main');
  return { calls, project, copy };
}

/** Pushes branch after branch. What the server took is kept with its commit, and must stay. */
function pushing(copy: string, kept: Map<string, string>) {
  let goesOn = true;
  const work = (async () => {
    for (let at = 0; goesOn; at += 1) {
      await writeFile(join(copy, `p${at}`), `${at}\n`.repeat(100));
      await git(copy, 'add', '-A');
      const tip = await commit(copy, `Push ${at}`);
      const ref = `refs/heads/push-${at}`;
      const { code } = await tryGit(copy, 'push', '-q', 'origin', `HEAD:${ref}`);
      if (code === 0) kept.set(ref, tip);
      else await sleep(100);
    }
  })();
  return async () => {
    goesOn = false;
    await work;
  };
}

async function refsIn(gitDir: string): Promise<Map<string, string>> {
  const lines = await git(gitDir, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads');
  return new Map(lines.split('\n').map((line) => line.split(' ') as [string, string]));
}

test('a move whose storages are killed at any moment ends wholly on one, and nothing that was pushed is lost', async () => {
  const world = await startStorages();
  const { calls, project, copy } = await preparedProject(world);
  const random = createRandom(faultSeed);
  const kept = new Map<string, string>();
  const stop = pushing(copy, kept);
  const moves: number[] = [];
  let held: Storage = 'default';
  // One of each kind: who brings it, who gives it, and both.
  const rounds = faultRounds(3, 6);
  for (let round = 0; round < rounds; round += 1) {
    const to = other(held);
    const asked = await calls.post(`/projects/${project.id}/repository_storage_moves`, {
      destination_storage_name: to,
    });
    const said = `seed ${faultSeed}, round ${round}`;
    expect(asked.status, said).toBe(201);
    moves.push(asked.body.id);
    await sleep(random.below(MOST_MS));
    const victims = [[to], [held], [to, held]][round % 3]!;
    await Promise.all(victims.map(world.kill));
    await Promise.all(victims.map(world.startStorage));
    const stateOf = async () =>
      (await calls.get(`/project_repository_storage_moves/${asked.body.id}`)).body?.state as string;
    await eventually(`${said}: the move ends`, stateOf, {
      until: (state) => state === 'finished' || state === 'failed',
    });
    expect(await stateOf(), said).toBe('finished');
    held = (await calls.get(`/projects/${project.id}`)).body.repository_storage;
    expect(held, said).toBe(to);
    expect(existsSync(world.gitDirOf(to, project.id)), said).toBe(true);
    expect(existsSync(world.gitDirOf(other(to), project.id)), said).toBe(false);
  }
  await stop();

  const gitDir = world.gitDirOf(held, project.id);
  expect(await tryGit(gitDir, 'fsck', '--strict', '--full')).toMatchObject({ code: 0 });
  const found = await refsIn(gitDir);
  expect(kept.size).toBeGreaterThan(rounds);
  for (const [ref, oid] of kept) expect([ref, found.get(ref)]).toEqual([ref, oid]);
  const clone = join(world.folder, 'clone');
  const address = addressOf(world, project.path_with_namespace, root);
  await git(world.folder, 'clone', '-q', '--mirror', address, clone);
  expect(await tryGit(clone, 'fsck', '--full')).toMatchObject({ code: 0 });
  expect(await refsIn(clone)).toEqual(found);

  const store = openEventStoreDbEventStore({ url: world.logUrl });
  const all = await store.readAll({ after: '', limit: 100_000 });
  await store.close();
  const moved = all.filter(({ type }) => type === 'RepositoryMoved');
  expect(moved.map(({ data }) => (data as { moveId: number }).moveId)).toEqual(moves);
}, 600_000);
