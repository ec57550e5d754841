import { childrenOf, isRunning } from '@forgelog/git/testing/processes.ts';
import { expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { apiOf, ROOT_TOKEN } from '../support/mixed-load.ts';
import { probe } from '../support/probes.ts';
import { faultRounds } from '../support/random.ts';
import { rawRequest } from '../support/raw-request.ts';
import { SERVICES, splitWorld } from '../support/split-world.ts';
import { underLoad } from '../support/under-load.ts';

vi.setConfig({ testTimeout: 600_000 });

test('each service stops in time under load, and nothing is lost once it is back', async () => {
  const world = await splitWorld();
  await world.start('log', ...SERVICES);
  const { served, check } = await underLoad(world, { mayBreak: true });
  for (let round = 0; round < faultRounds(1); round++)
    for (const name of SERVICES) {
      await served(3);
      // 0 says that it ended by itself: after nine and a half seconds it would have ended with 1.
      expect(await world.end(name, 'SIGTERM'), name).toBe(0);
      await world.start(name);
    }
  await served(3);
  const all = SERVICES.flatMap((name) => childrenOf(world.parts.get(name)!.child.pid!).map(({ pid }) => pid));
  expect(await Promise.all(SERVICES.map((name) => world.end(name, 'SIGTERM')))).toEqual([0, 0, 0, 0, 0]);
  expect(all.filter(isRunning)).toEqual([]);
  await world.start(...SERVICES);
  expect(await check()).toEqual([]);
});

test('when all stop at once, new requests are refused and open ones are answered', async () => {
  const world = await splitWorld();
  await world.start('log', ...SERVICES);
  const api = apiOf(world.url);
  await api('POST', '/projects', { name: 'p' });
  const body = JSON.stringify({ title: 'Sent in two parts' });
  const inside = await rawRequest(world.url, [
    'POST /api/v4/projects/1/issues HTTP/1.1',
    `PRIVATE-TOKEN: ${ROOT_TOKEN}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]);
  inside.send(body.slice(0, 10));
  // It is inside where the service has it: what came after it is answered, and asked the same service.
  await api('GET', '/projects/1/issues');
  const ended = SERVICES.map((name) => world.end(name, 'SIGTERM'));
  // Together: a service waits for what is inside for some seconds.
  await Promise.all(
    SERVICES.map((name) =>
      eventually(`${name} turns away who comes`, () => probe(world.addressOf(name), 'readiness'), {
        until: (status) => status !== 200,
      }),
    ),
  );
  inside.send(body.slice(10));
  expect(await inside.closed).toMatch(/HTTP\/1\.1 201 Created/);
  expect(await Promise.all(ended)).toEqual([0, 0, 0, 0, 0]);
  await world.start(...SERVICES);
  expect((await api('GET', '/projects/1/issues')).body).toMatchObject([{ title: 'Sent in two parts' }]);
  expect(await world.stop()).toEqual([]);
});
