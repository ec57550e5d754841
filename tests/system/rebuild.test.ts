import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { dumpLines } from '@forgelog/eventing/rebuild.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGroup, createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { PROGRAM_ENVIRONMENT } from '../support/server-process.ts';

const run = promisify(execFile);
const script = resolve(import.meta.dirname, '../../infra/src/rebuild.ts');
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'forgelog-rebuild-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** A bit of everything that writes read models. */
async function work(forgelog: Forgelog): Promise<void> {
  const amy = await createUser(forgelog, { username: 'amy' });
  const ben = await createUser(forgelog, { username: 'ben' });
  const group = await createGroup(forgelog, { path: 'team', token: amy.token });
  await forgelog.post(
    `/groups/${group.id}/members`,
    { user_id: ben.id, access_level: 30 },
    { token: amy.token },
  );
  const project = await forgelog.post('/projects', {
    name: 'p',
    namespace_id: group.id,
    initialize_with_readme: true,
  });
  const path = `/projects/${project.body.id}`;
  for (const title of ['one', 'two', 'three']) {
    await forgelog.post(
      `${path}/issues`,
      { title, labels: 'a,b', assignee_ids: [ben.id] },
      { token: amy.token },
    );
  }
  await forgelog.post(`${path}/issues/1/discussions`, { body: 'Why?' }, { token: ben.token });
  await forgelog.post(`${path}/issues/1/add_spent_time`, { duration: '1h' }, { token: amy.token });
  await forgelog.put(`${path}/issues/2`, { state_event: 'close' }, { token: amy.token });
  await forgelog.delete(`${path}/issues/3`);
  await forgelog.post(`${path}/environments`, { name: 'review/x' });
  await forgelog.put(`/users/${ben.id}`, { name: 'Benjamin' });
  await forgelog.put(`/groups/${group.id}`, { path: 'crew' });
  const last = await createUser(forgelog);
  await forgelog.delete(`/users/${last.id}`);
  const gone = await forgelog.post('/projects', { name: 'gone' });
  await forgelog.delete(`/projects/${gone.body.id}`);
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
}

async function models({ system }: Forgelog): Promise<string[]> {
  const collections = system.projections.flatMap((projection) => projection.collections);
  return Array.fromAsync(dumpLines(system.ports.readStore, collections));
}

test('read models rebuilt from the log equal the live ones byte for byte', async () => {
  const live = await startForgelog({ dataDir });
  await work(live);
  const before = await models(live);
  expect(before.length).toBeGreaterThan(30);
  await live.stop();

  const { stdout } = await run(process.execPath, [script], {
    env: { ...PROGRAM_ENVIRONMENT, DATA_DIR: dataDir },
  });
  expect(stdout).toMatch(/rebuilt from \d+ events/);

  const again = await startForgelog({ dataDir });
  const after = await models(again);
  const issue = await again.get('/projects/crew%2Fp/issues/1');
  await again.stop();
  expect(after).toEqual(before);
  expect(issue.body).toMatchObject({ title: 'one', user_notes_count: 1 });
});

test('a rebuild is refused while the server runs', async () => {
  const live = await startForgelog({ dataDir });
  await expect(
    run(process.execPath, [script], { env: { ...PROGRAM_ENVIRONMENT, DATA_DIR: dataDir } }),
  ).rejects.toThrow(/open|process/);
  await live.stop();
});
