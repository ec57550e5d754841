import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { callsTo } from '../support/calls.ts';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { startReplica } from '../support/replica-process.ts';
import { createSeason } from '../support/season/season.ts';

const HOUR_MS = 3_600_000;
/** `.ci/run` has the long form. */
const COMMANDS = process.env.ALL_TESTS === undefined ? 200 : 2_000;
const SEED = Number(process.env.FAULT_SEED ?? 7);
const PARTS = 4;

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return String(port);
}

test('after a random season and a kill, tables and REST API have no difference', {
  timeout: 900_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-replica-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let now = Date.parse('2026-03-02T08:00:00Z');
  const clock = () => {
    now += 1_000;
    return new Date(now);
  };
  const environment = { PORT: await freePort() };
  const start = () => startForgelog({ dataDir: join(folder, 'data'), clock, environment });
  let forgelog: Forgelog = await start();
  onTestFinished(() => forgelog.stop());
  const database = join(folder, 'replica.sqlite');
  const follow = () => startReplica('follow', '--server', forgelog.url, '--database', database);
  const season = createSeason(callsTo(forgelog.url, []), SEED, () => new Date(now));
  await season.begin();
  let replica = follow();
  for (let part = 1; part <= PARTS; part += 1) {
    await season.run(COMMANDS / PARTS);
    // Memberships and tokens expire, and the replica finds its way back to a server that was away.
    now += 15 * 24 * HOUR_MS;
    await forgelog.stop();
    forgelog = await start();
    if (part === 2) {
      const killed = await replica.stop('SIGKILL');
      expect(killed, replica.output()).toBe('SIGKILL');
      replica = follow();
    }
  }
  await eventually('the policies have nothing left to do', () => forgelog.system.projectors.policiesIdle());
  const stopped = await replica.stop();
  expect(stopped, replica.output()).toBe(0);

  const verify = startReplica('verify', '--server', forgelog.url, '--database', database);
  const code = await verify.ended;
  expect([code, verify.output()]).toEqual([0, expect.stringMatching(/ 0 differences\n$/)]);

  const tables = new DatabaseSync(database);
  const count = (sql: string) =>
    (tables.prepare(`SELECT COUNT(*) AS n FROM ${sql}`).get() as { n: number }).n;
  for (const table of ['users', 'groups', 'projects', 'issues', 'notes', 'refs', 'group_membership_history'])
    expect([table, count(table) > 2]).toEqual([table, true]);
  expect(
    count('projects WHERE ended_at IS NOT NULL') + count('issues WHERE ended_at IS NOT NULL'),
  ).toBeGreaterThan(0);
  // A comparison that finds nothing in a wrong table would find nothing ever.
  tables.exec(
    "UPDATE projects SET description = 'Wrong' WHERE project_id = (SELECT MAX(project_id) FROM projects WHERE ended_at IS NULL)",
  );
  tables.exec(
    'UPDATE issues SET ended_at = NULL WHERE issue_id = (SELECT MIN(issue_id) FROM issues WHERE ended_at IS NOT NULL)',
  );
  tables.close();
  const again = startReplica('verify', '--server', forgelog.url, '--database', database);
  expect(await again.ended).toBe(1);
  expect(again.output()).toMatch(/project_paths \d+: description is "Wrong"/);
  expect(again.output()).toMatch(/issues \d+ is not on the server/);
});
