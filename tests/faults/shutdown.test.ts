import { childrenOf, isRunning } from '@forgelog/git/testing/processes.ts';
import { expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { faultWorld } from '../support/fault-world.ts';
import { apiOf, ROOT_TOKEN } from '../support/mixed-load.ts';
import { probe } from '../support/probes.ts';
import { faultRounds } from '../support/random.ts';
import { rawRequest } from '../support/raw-request.ts';

vi.setConfig({ testTimeout: 300_000 });

test('SIGTERM under load ends in time, loses nothing acknowledged, and leaves no child process', async () => {
  const world = await faultWorld();
  const load = await world.load();
  for (let round = 0; round < faultRounds(1); round++) {
    const server = await world.start();
    const children = new Set<number>();
    let isAsked = false;
    await load.run(server.address, (count) => {
      for (const { pid } of childrenOf(server.pid)) children.add(pid);
      // The supervisor and at least one git: on a slow machine the first twenty answers may have needed none yet.
      if (isAsked || count < 20 + round || children.size < 2) return;
      isAsked = true;
      process.kill(server.pid, 'SIGTERM');
    });
    // 0 says that it ended by itself: after nine and a half seconds it would have ended with 1.
    expect(await server.ended).toBe(0);
    expect([...children].filter(isRunning)).toEqual([]);
    expect(await world.inspect(({ address }) => load.check(address))).toEqual([]);
  }
});

test('after SIGTERM new requests are refused, and open ones are answered', async () => {
  const world = await faultWorld();
  const server = await world.start();
  await apiOf(server.address)('POST', '/projects', { name: 'p' });
  const body = JSON.stringify({ title: 'Sent in two parts' });
  const inside = await rawRequest(server.address, [
    'POST /api/v4/projects/1/issues HTTP/1.1',
    `PRIVATE-TOKEN: ${ROOT_TOKEN}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]);
  inside.send(body.slice(0, 10));
  const readiness = () => probe(server.address, 'readiness');
  expect(await readiness()).toBe(200);
  process.kill(server.pid, 'SIGTERM');
  await eventually('it turns away who comes', readiness, { until: (status) => status !== 200 });
  inside.send(body.slice(10));
  expect(await inside.closed).toMatch(/HTTP\/1\.1 201 Created/);
  expect(await server.ended).toBe(0);
  const wrong = await world.inspect(async ({ address }) => {
    const issues = await apiOf(address)('GET', '/projects/1/issues');
    expect(issues.body).toMatchObject([{ iid: 1, title: 'Sent in two parts' }]);
    return [];
  });
  expect(wrong).toEqual([]);
});

test.skipIf(faultRounds(1) === 1)('SIGTERM aborts a push that never ends, in time (long form)', async () => {
  const world = await faultWorld();
  const server = await world.start();
  await apiOf(server.address)('POST', '/projects', { name: 'p' });
  const push = await rawRequest(server.address, [
    'POST /root/p.git/git-receive-pack HTTP/1.1',
    `Authorization: Basic ${Buffer.from(`root:${ROOT_TOKEN}`).toString('base64')}`,
    'Content-Type: application/x-git-receive-pack-request',
    'Content-Length: 1000',
  ]);
  const commands = () => childrenOf(server.pid).map(({ command }) => command);
  await eventually('git takes the push', commands, {
    until: (found) => found.some((command) => command.includes('receive-pack')),
  });
  const children = childrenOf(server.pid).map(({ pid }) => pid);
  process.kill(server.pid, 'SIGTERM');
  expect(await server.ended).toBe(0);
  expect(children.filter(isRunning)).toEqual([]);
  await push.closed;
  expect(await world.inspect(async () => [])).toEqual([]);
});
