import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf, isRunning } from '@forgelog/git/testing/processes.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { endOf, type FaultServer, type FaultWorld, faultWorld } from '../support/fault-world.ts';
import { parse } from '../support/metrics.ts';
import { apiOf } from '../support/mixed-load.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { git } from '../support/repositories.ts';

vi.setConfig({ testTimeout: 300_000 });

/** More than a repository may have as loose objects. */
const FILES = 1_100;

const objectsOf = ({ dataDir }: FaultWorld) => join(dataDir, 'repositories', repositoryPath(1), 'objects');
const namesOfPacks = (world: FaultWorld) => readdirSync(join(objectsOf(world), 'pack'));
const aside = (world: FaultWorld) =>
  readdirSync(objectsOf(world)).filter((name) => name.startsWith('tmp_objdir-packing-'));

async function projectWith({ address }: FaultServer): Promise<void> {
  expect(await apiOf(address)('POST', '/projects', { name: 'p' })).toMatchObject({ status: 201 });
}

async function commitMany({ address }: FaultServer, folder: string): Promise<void> {
  const actions = Array.from({ length: FILES }, (_, at) => ({
    action: 'create',
    file_path: `${folder}/${at}`,
    content: `${folder} ${at}\n`,
  }));
  const commit = { branch: 'main', commit_message: folder, actions };
  expect(await apiOf(address)('POST', '/projects/1/repository/commits', commit)).toMatchObject({
    status: 201,
  });
}

/** That of an object which no git comes to the end of reading: who packs it waits until it is ended. */
function addEndless(world: FaultWorld): string {
  const folder = join(objectsOf(world), 'aa');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'b'.repeat(38));
  execFileSync('mkfifo', [path]);
  return path;
}

async function packing({ pid }: FaultServer): Promise<number> {
  const found = () => childrenOf(pid).find(({ command }) => command.includes('tmp_objdir-packing-'));
  return (await eventually('git packs', found, { everyMs: 5 }))!.pid;
}

const hasAll = async ({ address }: FaultServer, folder: string) => {
  for (const at of [0, FILES - 1])
    expect(
      await apiOf(address)('GET', `/projects/1/repository/files/${folder}%2F${at}?ref=main`),
    ).toMatchObject({
      status: 200,
      body: { content: Buffer.from(`${folder} ${at}\n`).toString('base64') },
    });
  return [];
};

test('a repository that was filled through the API is packed automatically, and metrics and log show it', async () => {
  const world = await faultWorld();
  const server = await world.start({ environment: { LOG_LEVEL: 'info' } });
  await projectWith(server);
  await commitMany(server, 'first');
  await eventually('the server packs', server.output, {
    until: (said) => said.includes('"repository packed"'),
  });
  const gitDir = join(objectsOf(world), '..');
  expect(git(gitDir, 'count-objects', '-v')).toMatch(/^count: 0$/m);
  const { samples } = parse(await (await fetch(`${server.address}/-/metrics`)).text());
  const packed = samples.find(({ name }) => name === 'forgelog_packed_objects_total');
  expect(packed?.value).toBeGreaterThan(FILES);
  await hasAll(server, 'first');
  expect(await server.stop()).toBe(0);
  expect(await world.inspect((next) => hasAll(next, 'first'))).toEqual([]);
});

test('SIGTERM cancels packing at once, without leftovers', async () => {
  const world = await faultWorld();
  const server = await world.start();
  await projectWith(server);
  const endless = addEndless(world);
  await commitMany(server, 'first');
  const child = await packing(server);
  process.kill(server.pid, 'SIGTERM');
  expect(await server.ended).toBe(0);
  expect(isRunning(child)).toBe(false);
  expect(aside(world)).toEqual([]);
  rmSync(endless);
  expect(await world.inspect((next) => hasAll(next, 'first'))).toEqual([]);
});

test('leftovers of a killed packing are swept at the next start', async () => {
  const world = await faultWorld();
  const server = await world.start();
  await projectWith(server);
  const endless = addEndless(world);
  await commitMany(server, 'first');
  await packing(server);
  await server.killAll();
  expect(aside(world)).toHaveLength(1);
  rmSync(endless);
  const wrong = await world.inspect(async (next) => {
    expect(aside(world)).toEqual([]);
    return hasAll(next, 'first');
  });
  expect(wrong).toEqual([]);
});

test('a server killed at any moment of packing loses nothing acknowledged', async () => {
  const world = await faultWorld();
  const random = createRandom(faultSeed);
  const load = await world.load();
  const program = join(import.meta.dirname, '../support/packing-server.ts');
  for (let round = 0; round < faultRounds(2); round++) {
    const server = await world.start({ program });
    const seen = new Set(namesOfPacks(world));
    const enough = seen.size + 2 + random.below(20);
    await load.run(server.address, () => {
      for (const name of namesOfPacks(world)) seen.add(name);
      if (seen.size >= enough) void server.killAll();
    });
    await endOf(server);
    const wrong = await world.inspect(({ address }) => load.check(address));
    expect(wrong, `seed ${faultSeed}, round ${round}: killed after ${enough} files of packs`).toEqual([]);
  }
}, 600_000);
