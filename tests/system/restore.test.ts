import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { openMemoryFeed } from '@forgelog/eventing/adapters/memory/memory-feed.ts';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { fed, feedOfLog } from '../support/fed.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { AVATAR, formWith } from '../support/form-with.ts';
import { readStream } from '../support/read-stream.ts';
import { git, workingCopy } from '../support/stock-git.ts';
import { verify } from '../support/verify.ts';

const run = promisify(execFile);
const PAGES = { Accept: 'application/x-ndjson' };
const program = (name: string) => resolve(import.meta.dirname, `../../infra/src/${name}.ts`);

/** A server whose log was backed up, and then went on; each start publishes to a feed of its own. */
async function restorable() {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-restored-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const start = async () => {
    const feed = openMemoryFeed();
    const forgelog = await startForgelog({
      dataDir,
      openStores: openEmbeddedStores,
      // The port is another one after each start, and the address of schemas is part of an event.
      environment: { KAFKA_BROKERS: '127.0.0.1:1', EXTERNAL_URL: 'https://forgelog.example' },
      openFeed: feedOfLog(feed),
    });
    return { forgelog, feed };
  };
  const stopped = async <T>(work: (forgelog: Forgelog) => Promise<T>) => {
    const { forgelog, feed } = await start();
    const result = await work(forgelog);
    await fed(forgelog.system.relay!);
    await forgelog.stop();
    return { result, published: feed.messages.map(({ headers }) => headers.position) };
  };
  const add = (name: string) => async (forgelog: Forgelog) => {
    for (const part of ['a', 'b', 'c']) await forgelog.post('/projects', { name: `${name}-${part}` });
    return readStream(forgelog);
  };
  const log = join(dataDir, 'events.db');
  const kept = (await stopped(add('kept'))).result;
  await copyFile(log, join(folder, 'backup.db'));
  const lost = await stopped(add('lost'));
  const restore = async ({ withReadModels }: { withReadModels: boolean }) => {
    await copyFile(join(folder, 'backup.db'), log);
    for (const name of withReadModels ? [] : ['', '-wal', '-shm', '.policies'])
      await rm(join(dataDir, `read-models.db${name}`), { force: true });
  };
  const command = (name: string) =>
    run(process.execPath, [program(name)], { env: { PATH: process.env.PATH, DATA_DIR: dataDir } });
  return { start, stopped, add, kept, lost, restore, command, dataDir };
}

const WAYS: [how: string, withReadModels: boolean, command: string][] = [
  ['the read models were removed, and an epoch begun', false, 'epoch'],
  ['the read models were kept, and rebuilt', true, 'rebuild'],
];

test.each(WAYS)(
  'after a restore, a reader beyond it is told where to go on: %s',
  async (_, withReadModels, command) => {
    const { stopped, add, kept, lost, restore, command: call } = await restorable();
    await restore({ withReadModels });
    const { stdout } = await call(command);
    const common = kept.at(-1)!.position;
    expect(stdout).toContain(`A new epoch of the log begins after ${common}.`);
    const { result, published } = await stopped(async (forgelog) => {
      const now = await add('new')(forgelog);
      expect(now.slice(0, kept.length)).toEqual(kept);
      expect(now[kept.length]).toMatchObject({ type: 'EpochBegun', data: { after: common } });
      for (const event of lost.result) {
        const path = `/event_stream?after=${event.position}`;
        const { status, headers } = await forgelog.call('HEAD', path);
        expect([event.position, status]).toEqual([event.position, event.position > common ? 410 : 200]);
        expect(headers.get('x-log-id')).toBe(kept[0]!.source.split('/')[2]);
        if (status === 410) expect((await forgelog.get(path)).body).toMatchObject({ after: common });
      }
      return now;
    });
    const names = (events: typeof result) => events.map(({ data }) => data.name).filter((name) => name);
    expect(names(result)).toEqual(expect.arrayContaining(['new-a', 'new-b', 'new-c']));
    expect(names(result).join()).not.toContain('lost-');
    const positions = result.map(({ position }) => position);
    expect(positions.toSorted()).toEqual(positions);
    // A Kafka consumer keeps the greatest position, and drops what is not beyond it.
    const beyond = published.filter((position) => position > lost.published.at(-1)!);
    expect(beyond).toEqual(
      result.flatMap(({ type, position }) => (position > common && type !== 'IdsReserved' ? [position] : [])),
    );
    expect(
      result.every(({ source }) => source.startsWith(`/forgelog/${result[0]!.source.split('/')[2]}/`)),
    ).toBe(true);
  },
);

test('an epoch is not begun beside read models that are ahead of the log', async () => {
  const { restore, command } = await restorable();
  await restore({ withReadModels: true });
  await expect(command('epoch')).rejects.toThrow(/are ahead of the log: use `npm run rebuild`/);
});

test('a new project gets nothing of one that a restored log has lost, whose id it gets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-restored-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const start = () => startForgelog({ dataDir, openStores: openEmbeddedStores });
  const log = join(dataDir, 'events.db');
  await start().then((forgelog) => forgelog.stop());
  await copyFile(log, join(folder, 'backup.db'));
  const before = await start();
  const secrets: number[] = [];
  for (const name of ['a', 'b', 'c'])
    secrets.push((await before.post('/projects', { name, initialize_with_readme: true })).body.id);
  await before.stop();
  await copyFile(join(folder, 'backup.db'), log);
  for (const name of ['', '-wal', '-shm', '.policies'])
    await rm(join(dataDir, `read-models.db${name}`), { force: true });

  const forgelog = await start();
  const made: number[] = [];
  const take = async (given: Parameters<typeof forgelog.post>[1]) => {
    const { status, body } = await forgelog.post('/projects', given);
    expect(status).toBe(201);
    made.push(body.id);
    expect((await forgelog.get(`/projects/${body.id}/repository/branches`)).body).toEqual([]);
  };
  await take({ name: 'plain', visibility: 'public' });
  await take(formWith(AVATAR, { name: 'with-avatar' }));
  const copy = await workingCopy();
  const address = forgelog.url.replace('://', `://root:${forgelog.rootToken}@`).concat('/root/pushed.git');
  await git(copy, 'push', '-q', address, 'HEAD:refs/heads/pushed');
  made.push((await forgelog.get('/projects/root%2Fpushed')).body.id);
  expect(await git(copy, 'ls-remote', '--heads', address)).toMatch(/^\S+\srefs\/heads\/pushed$/);
  expect(made).toEqual(secrets);
  await forgelog.stop();
  const { problems, output } = await verify(dataDir);
  expect(problems).toEqual([]);
  expect(output.match(/\.git\.aside-[0-9a-f]{12} has no project/g)).toHaveLength(3);
});

test('after a restore, a reader of the access log begins again, and keeps what they have', async () => {
  const { stopped, restore, command, dataDir } = await restorable();
  const accessEvents = async (forgelog: Forgelog, after = '') => {
    const page = await forgelog.get(`/access_event_stream?after=${after}`, { headers: PAGES });
    return page.text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const refused = (token: string) => async (forgelog: Forgelog) => {
    await forgelog.get('/user', { token });
    return eventually('the refusal is recorded', () => accessEvents(forgelog), {
      until: (events) => events.some(({ type }) => type === 'CredentialRefused'),
    });
  };
  const { result: before } = await stopped(refused('never-was-a-token'));
  // A backup has no access log.
  await restore({ withReadModels: false });
  for (const name of ['', '-wal', '-shm']) await rm(join(dataDir, `access.db${name}`), { force: true });
  await command('epoch');
  await stopped(async (forgelog) => {
    const now = await refused('nor-was-this-one')(forgelog);
    const path = `/access_event_stream?after=${before[0].position}`;
    const lost = await forgelog.get(path, { headers: PAGES });
    expect([lost.status, lost.body]).toMatchObject([410, { after: '' }]);
    expect(now[0].position > before.at(-1).position).toBe(true);
    expect(now[0].epoch > before[0].epoch).toBe(true);
    expect(await accessEvents(forgelog, now[0].position)).toEqual(now.slice(1));
  });
});
