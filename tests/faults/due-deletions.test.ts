import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { expect, test } from 'vitest';
import { callsBy, callsTo, ROOT_TOKEN } from '../support/calls.ts';
import { eventually } from '../support/eventually.ts';
import { faultWorld } from '../support/fault-world.ts';
import { startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { verify } from '../support/verify.ts';

const DAY_MS = 86_400_000;
const DUE = 30;
const environment = { DELETION_ADJOURNED_PERIOD: '7' };

test('a server killed while it deletes what is due deletes each once, and nothing else', async () => {
  const world = await faultWorld();
  const random = createRandom(faultSeed);
  let now = Date.now() - 8 * DAY_MS;
  const earlier = await startForgelog({
    environment,
    dataDir: world.dataDir,
    clock: () => new Date(now),
    openStores: openEmbeddedStores,
  });
  const project = async (name: string, more: object = {}): Promise<number> => {
    const { id } = await must(earlier.post('/projects', { name, initialize_with_readme: true, ...more }));
    return id;
  };
  const group = await must(earlier.post('/groups', { name: 'team', path: 'team' }));
  const due: number[] = [];
  for (let at = 0; at < DUE; at++) {
    const inGroup = at % 3 === 0;
    const id = await project(`due${at}`, inGroup ? { namespace_id: group.id } : {});
    if (!inGroup) await must(earlier.delete(`/projects/${id}`));
    due.push(id);
  }
  await must(earlier.delete(`/groups/${group.id}`));
  const restored = await project('restored');
  await must(earlier.delete(`/projects/${restored}`));
  await must(earlier.post(`/projects/${restored}/restore`));
  now += 2 * DAY_MS;
  const waits = await project('waits');
  await must(earlier.delete(`/projects/${waits}`));
  await earlier.stop();

  let server = await world.start({ environment });
  const calls = callsBy((...call) => callsTo(server.address, []).call(...call));
  // A server sweeps when it starts.
  for (let kill = 0; kill < faultRounds(4); kill += 1) {
    await server.killAll();
    server = await world.start({ environment });
    await new Promise((resolve) => setTimeout(resolve, random.below(100)));
  }
  const statuses = async () =>
    new Set(await Promise.all(due.map(async (id) => (await calls.get(`/projects/${id}`)).status)));
  await eventually(`what is due is deleted, seed ${faultSeed}`, async () => [...(await statuses())], {
    until: (all) => all.join() === '404',
  });
  const left = () => due.filter((id) => existsSync(join(world.dataDir, 'repositories', repositoryPath(id))));
  await eventually('the disk is freed', left, { until: (ids) => ids.length === 0 });
  const deletions = async () => {
    const reply = await fetch(`${server.address}/api/v4/event_stream?limit=10000`, {
      headers: { 'PRIVATE-TOKEN': ROOT_TOKEN, Accept: 'application/x-ndjson' },
    });
    const events = (await reply.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ended = ['ProjectDeleted', 'GroupDeleted'];
    return events.filter(({ type }) => ended.includes(type)).map(({ subject }) => subject as string);
  };
  expect((await deletions()).toSorted()).toEqual(
    [...due.map((id) => `project-${id}`), `group-${group.id}`].toSorted(),
  );
  expect((await calls.get(`/projects/${restored}`)).body.marked_for_deletion_on).toBeNull();
  expect((await calls.post(`/projects/${waits}/restore`)).status).toBe(201);
  expect(await server.stop()).toBe(0);
  expect((await verify(world.dataDir)).problems).toEqual([]);
}, 600_000);
