import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type FaultWorld, faultWorld } from '../support/fault-world.ts';
import { startForgelog } from '../support/forgelog.ts';
import { apiOf } from '../support/mixed-load.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { PROGRAM_ENVIRONMENT } from '../support/server-process.ts';
import { expectSound, verify } from '../support/verify.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const run = promisify(execFile);
const rebuild = resolve(import.meta.dirname, '../../infra/src/rebuild.ts');

let sound: string;
let world: FaultWorld;
let titles: string[];
const file = (name: string) => join(world.dataDir, name);

/** A data folder with something of everything, its server stopped; each test has a copy. */
beforeAll(async () => {
  sound = await mkdtemp(join(tmpdir(), 'forgelog-sound-'));
  const forgelog = await startForgelog({ dataDir: sound });
  await forgelog.post('/projects', { name: 'p', initialize_with_readme: true });
  for (let iid = 1; iid <= 30; iid++)
    await forgelog.post('/projects/1/issues', { title: `Issue ${iid}`, description: 'd'.repeat(2000) });
  await forgelog.post('/projects/1/issues/1/notes', { body: 'A comment' });
  titles = await titlesAt(forgelog.url);
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  await forgelog.stop();
});
afterAll(() => rm(sound, { recursive: true, force: true }));
beforeEach(async () => {
  world = await faultWorld(sound);
});

async function titlesAt(address: string): Promise<string[]> {
  const { body } = await apiOf(address)('GET', '/projects/1/issues?per_page=100');
  return body.map(({ title }: { title: string }) => title);
}

/** What the server says that does not start. */
async function refusal(): Promise<string> {
  const { server, up } = await world.tryStart();
  expect(up).toBeUndefined();
  expect(await server.ended).toBe(1);
  return server.output();
}

test('a truncated log is refused at the start with a message, and left as it is', async () => {
  const { size } = await stat(file('events.db'));
  await truncate(file('events.db'), Math.floor(size / 2));
  const before = await readFile(file('events.db'));
  expect(await refusal()).toMatch(/^\S+events\.db: .*malformed\n$/);
  expect(await readFile(file('events.db'))).toEqual(before);
});

test('an empty or missing log beside existing read models is refused', async () => {
  for (const lose of [() => truncate(file('events.db'), 0), () => rm(file('events.db'))]) {
    await lose();
    expect(await refusal()).toMatch(/has lost events: it ends at its beginning, and \S+ has seen/);
  }
  for (const name of ['', '-wal', '-shm', '.policies'])
    await rm(file(`read-models.db${name}`), { force: true });
  expect(await refusal()).toMatch(/is empty, and repositories are there/);
});

test('a log that lost its latest events is refused until a rebuild accepts it', async () => {
  const server = await world.start();
  for (let count = 1; count <= 20; count++)
    await apiOf(server.address)('POST', '/projects/1/issues', { title: `More ${count}.` });
  // What read models saw is known as far as they are on disk.
  await expect.poll(() => readFile(file('read-models.db-wal'), 'latin1')).toContain('More 20.');
  await server.killAll();
  const { size } = await stat(file('events.db-wal'));
  await truncate(file('events.db-wal'), Math.floor(size / 2));
  expect(await refusal()).toMatch(/has lost events: it ends at \d+, and \S+ has seen events up to \d+/);
  expect((await verify(world.dataDir)).problems.join()).toContain('has seen events up to');
  await run(process.execPath, [rebuild], { env: { ...PROGRAM_ENVIRONMENT, DATA_DIR: world.dataDir } });
  // What was lost is lost; what is there is of one piece.
  expect(await world.inspect(async () => [])).toEqual([]);
});

test('an event that changed on disk is refused on use, and nothing overwrites it', async () => {
  const db = new DatabaseSync(file('events.db'));
  const changed = db
    .prepare(`UPDATE events SET data = replace(data, 'Issue', 'Tissue') WHERE stream = 'issue-1-2'`)
    .run();
  expect(changed.changes).toBeGreaterThan(0);
  const rows = () => db.prepare(`SELECT * FROM events WHERE stream = 'issue-1-2'`).all();
  const before = rows();
  const server = await world.start();
  const api = apiOf(server.address);
  const answer = await api('PUT', '/projects/1/issues/2', { title: 'Other' });
  expect(answer).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('503 Service Unavailable - the event log is damaged') },
  });
  expect((await api('PUT', '/projects/1/issues/1', { title: 'Issue 1' })).status).toBe(200);
  await expect.poll(server.output).toMatch(/the event at position \d+ \(issue-1-2\/0\) is damaged/);
  expect(await server.stop()).toBe(0);
  expect(rows()).toEqual(before);
  db.close();
  expect((await verify(world.dataDir)).problems.join()).toMatch(/\(issue-1-2\/0\) is damaged/);
});

test('truncated, foreign or missing read models are rebuilt at the start', async () => {
  for (const damage of [
    () => truncate(file('read-models.db'), 20_000),
    () => writeFile(file('read-models.db'), 'no database at all'.repeat(1000)),
    () => rm(file('read-models.db')),
  ]) {
    await damage();
    const server = await world.start();
    expect(await titlesAt(server.address)).toEqual(titles);
    expect(await server.stop()).toBe(0);
    await expectSound(world.dataDir);
  }
});

test('read models found damaged while running are refused, and rebuilt at the next start', async () => {
  const db = new DatabaseSync(file('read-models.db'));
  // The table and its indexes, whichever of them an answer is read from. A virtual table has no page of its own.
  const roots = db
    .prepare(`SELECT rootpage FROM sqlite_master WHERE tbl_name LIKE 'issues%' AND rootpage > 0`)
    .all();
  const size = Number(db.prepare('PRAGMA page_size').get()!.page_size);
  db.close();
  const models = await readFile(file('read-models.db'));
  for (const { rootpage } of roots)
    models.fill(0xee, (Number(rootpage) - 1) * size, (Number(rootpage) - 1) * size + 64);
  await writeFile(file('read-models.db'), models);
  expect((await verify(world.dataDir)).problems.join()).toContain('read-models.db is damaged');
  const server = await world.start();
  const api = apiOf(server.address);
  const refused = {
    status: 503,
    body: { message: '503 Service Unavailable - the read models cannot be used now' },
  };
  // Right, where the start has found it already, or refused in words: never something that is not so.
  const answer = await api('GET', '/projects/1/issues?per_page=100');
  if (answer.status === 200) expect(answer.body.map(({ title }: { title: string }) => title)).toEqual(titles);
  else {
    expect(answer).toMatchObject(refused);
    await expect.poll(server.output).toMatch(/read models are damaged; the next start makes them anew/);
  }
  expect((await api('GET', '/projects/1')).status).toBe(200);
  // What is written now is in the log, whatever its caller hears; the next start shows it.
  expect([201, 503]).toContain((await api('POST', '/projects/1/issues', { title: 'Later' })).status);
  await server.stop();
  const wrong = await world.inspect(async ({ address }) => {
    expect((await titlesAt(address)).filter((title) => title !== 'Later')).toEqual(titles);
    return [];
  });
  expect(wrong).toEqual([]);
});

test('bit flips anywhere in the log are detected, or change nothing', async () => {
  const random = createRandom(faultSeed + 7);
  const sound = await readFile(file('events.db'));
  for (let round = 0; round < faultRounds(3); round++) {
    const flipped = Buffer.from(sound);
    const at = random.below(flipped.length);
    flipped[at] = flipped[at]! ^ (1 << random.below(8));
    await writeFile(file('events.db'), flipped);
    const { problems } = await verify(world.dataDir);
    if (problems.length > 0) continue;
    // Free space, or a field of SQLite's that nothing hangs on: everything must be there then.
    const db = new DatabaseSync(file('events.db'));
    const events = db.prepare('SELECT * FROM events ORDER BY position').all();
    db.close();
    await writeFile(file('events.db'), sound);
    const before = new DatabaseSync(file('events.db'));
    expect(events, `seed ${faultSeed}: bit at ${at}`).toEqual(
      before.prepare('SELECT * FROM events ORDER BY position').all(),
    );
    before.close();
  }
  await writeFile(file('events.db'), sound);
  await expectSound(world.dataDir);
});
