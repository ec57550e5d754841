import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { childrenOf } from '@forgelog/git/testing/processes.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FaultServer, type FaultWorld, faultWorld } from '../support/fault-world.ts';
import { apiOf, ROOT_TOKEN } from '../support/mixed-load.ts';
import { faultRounds } from '../support/random.ts';
import { git, tryGit } from '../support/stock-git.ts';

vi.setConfig({ testTimeout: 300_000 });

const program = resolve(import.meta.dirname, '../support/stopping-server.ts');
const PROJECT = '/projects/1/repository';
const ZERO_OID = '0'.repeat(40);

const urlOf = ({ address }: FaultServer) => `${address.replace('://', `://root:${ROOT_TOKEN}@`)}/root/p.git`;

/** A project with a README, and a working copy of it. */
async function prepared(world: FaultWorld): Promise<string> {
  const server = await world.start();
  await apiOf(server.address)('POST', '/projects', { name: 'p', initialize_with_readme: true });
  await git(world.folder, 'clone', '-q', urlOf(server), 'copy');
  await server.stop();
  return join(world.folder, 'copy');
}

type Change = (server: FaultServer, copy: string, name: string) => Promise<boolean>;

/** Ways to move main, and whether it was acknowledged. */
const throughApi: Change = async ({ address }, _, name) => {
  const json = { branch: 'main', content: name, commit_message: name };
  const answer = apiOf(address)('POST', `${PROJECT}/files/${name}`, json);
  return answer.then(
    ({ status }) => status === 201,
    () => false,
  );
};
const throughPush: Change = async (server, copy, name) => {
  await writeFile(join(copy, name), name);
  await git(copy, 'add', '-A');
  await git(copy, 'commit', '-q', '-m', name);
  await git(copy, 'pull', '-q', '--rebase', urlOf(server), 'main').catch(() => {});
  return (await tryGit(copy, 'push', '-q', urlOf(server), 'HEAD:main')).code === 0;
};

async function titles({ address }: FaultServer): Promise<string[]> {
  const { body } = await apiOf(address)('GET', `${PROJECT}/commits?ref_name=main`);
  return body.map(({ title }: { title: string }) => title);
}

const isBefore = { before: 'the append', after: 'git moves the ref' } as const;

/** In the long form also where git outlives the server and ends by itself. */
const isLong = faultRounds(1) > 1;

type Case = readonly [at: 'before' | 'after', alone: boolean, how: string, change: Change];
const WITH_SURVIVORS: readonly Case[] = [
  ['before', true, 'a push', throughPush],
  ['after', true, 'a push', throughPush],
];

test.each<Case>([
  ['before', false, 'a commit through the API', throughApi],
  ['after', false, 'a commit through the API', throughApi],
  ['before', false, 'a push', throughPush],
  ['after', false, 'a push', throughPush],
  ...(isLong ? WITH_SURVIVORS : []),
])(
  'killed %s the append (alone: %s), %s is complete or absent after the next start',
  async (at, alone, _, change) => {
    const world = await faultWorld();
    const copy = await prepared(world);
    const environment = { FAULT_AT: at, FAULT_ALONE: alone ? 'yes' : 'no' };
    const dying = await world.start({ program, environment });
    expect(await change(dying, copy, 'interrupted')).toBe(false);
    expect(await dying.ended).toBe('SIGKILL');
    const wrong = await world.inspect(async (server) => {
      // What is in the log came true; what is not in it never was.
      const expected = at === 'after' ? ['interrupted', 'Initial commit'] : ['Initial commit'];
      expect(await titles(server), isBefore[at]).toEqual(expected);
      // The same ref can be written again, both ways.
      expect(await throughApi(server, copy, 'again')).toBe(true);
      await git(copy, 'fetch', '-q', urlOf(server), 'main');
      await git(copy, 'reset', '-q', '--hard', 'FETCH_HEAD');
      expect(await throughPush(server, copy, 'and-again')).toBe(true);
      expect(await titles(server)).toEqual(['and-again', 'again', ...expected]);
      return [];
    });
    expect(wrong).toEqual([]);
  },
);

test('after everything is killed with a push in quarantine, the next start leaves nothing of it', async () => {
  const world = await faultWorld();
  await prepared(world);
  const server = await world.start();
  const repository = join(world.dataDir, 'repositories', repositoryPath(1));
  const quarantine = async () =>
    (await readdir(join(repository, 'objects'))).filter((name) => name.startsWith('tmp_objdir'));
  // Half a pack, whose rest never comes.
  const line = `${ZERO_OID} ${'1'.repeat(40)} refs/heads/half\0report-status`;
  const begin = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`;
  const pack = Buffer.from('5041434b0000000200000064', 'hex'); // 100 objects are announced
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.concat([Buffer.from(begin), pack]));
    },
  });
  const push = fetch(`${server.address}/root/p.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`root:${ROOT_TOKEN}`).toString('base64')}`,
      'Content-Type': 'application/x-git-receive-pack-request',
    },
    body,
    duplex: 'half',
  } as RequestInit);
  push.catch(() => {});
  const commands = () => childrenOf(server.pid).map(({ command }) => command);
  await eventually('git unpacks the push', commands, {
    until: (found) => found.some((command) => /unpack-objects|index-pack/.test(command)),
  });
  expect(await quarantine()).toHaveLength(1);
  await server.killAll();
  await expect(push).rejects.toThrow();
  expect(await quarantine()).toHaveLength(1);
  expect(await world.inspect(async () => [])).toEqual([]);
  expect(await quarantine()).toEqual([]);
});

test('locks and leftovers of a killed git are swept at the start, and refs can be written again', async () => {
  const world = await faultWorld();
  const copy = await prepared(world);
  await (await world.start()).killAll();
  const repository = join(world.dataDir, 'repositories', repositoryPath(1));
  for (const lock of ['HEAD', 'packed-refs', 'refs/heads/main', 'refs/tags/v1'])
    await writeFile(join(repository, `${lock}.lock`), '');
  await mkdir(join(repository, 'objects/tmp_objdir-incoming-abc/pack'), { recursive: true });
  await mkdir(`${repository}.new-0123456789ab/objects`, { recursive: true });
  const wrong = await world.inspect(async (server) => {
    expect(await throughPush(server, copy, 'pushed')).toBe(true);
    expect(await throughApi(server, copy, 'committed')).toBe(true);
    await git(copy, 'push', '-q', urlOf(server), 'HEAD:refs/tags/v1');
    return [];
  });
  expect(wrong).toEqual([]);
});

test('a stale lock is removed at runtime once its owner is known to be dead', async () => {
  const world = await faultWorld();
  const copy = await prepared(world);
  const repository = join(world.dataDir, 'repositories', repositoryPath(1));
  const wrong = await world.inspect(async (server) => {
    // As after a git that the machine killed for want of memory between its lock and its vote.
    await writeFile(join(repository, 'refs/heads/main.lock'), '');
    expect(await throughApi(server, copy, 'committed')).toBe(true);
    await writeFile(join(repository, 'refs/heads/main.lock'), '');
    expect(await throughPush(server, copy, 'pushed')).toBe(true);
    return [];
  });
  expect(wrong).toEqual([]);
});
