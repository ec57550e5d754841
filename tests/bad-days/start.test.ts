import { openEventStoreDbEventStore } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-event-store.ts';
import { BEGINNING } from '@forgelog/eventing/event.ts';
import { expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { apiOf } from '../support/mixed-load.ts';
import { probe } from '../support/probes.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { SERVICES, type SplitWorld, splitWorld } from '../support/split-world.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Resolves when each of them listens and says that it is not ready. */
async function waiting(world: SplitWorld): Promise<void> {
  for (const service of SERVICES) {
    const address = world.addressOf(service);
    const readiness = async () => {
      const status = await probe(address, 'readiness');
      world.expectAlive(service);
      expect(status).not.toBe(200);
      return status;
    };
    await eventually(`${service} says that it is not ready`, readiness, {
      until: (status) => status === 503,
      detail: world.parts.get(service)!.output,
    });
    expect(await probe(address, 'liveness')).toBe(200);
  }
}

test('services started in any order and before their log become ready, and create one administrator', async () => {
  const random = createRandom(faultSeed);
  for (let round = 0; round < faultRounds(1); round++) {
    const world = await splitWorld();
    const order = SERVICES.map((name) => ({ name, turn: random.below(1000) })).sort(
      (a, b) => a.turn - b.turn,
    );
    for (const { name } of order) world.spawn(name);
    await waiting(world);
    const refused = await fetch(`${world.url}/api/v4/projects`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await world.start('log');
    for (const name of SERVICES)
      expect(await world.parts.get(name)!.ready, world.parts.get(name)!.output()).toBe(true);
    await world.healed();
    const { body } = await apiOf(world.url)('GET', '/users');
    expect(body).toMatchObject([{ id: 1, username: 'root' }]);
    const log = openEventStoreDbEventStore({ url: world.logUrl });
    const events = await log.readAll({ after: BEGINNING, limit: 1000 });
    await log.close();
    expect(events.filter(({ type }) => type === 'UserCreated')).toHaveLength(1);
    expect(await world.stop()).toEqual([]);
  }
});

test('a service that waits for its log stops on SIGTERM', async () => {
  const world = await splitWorld();
  for (const name of SERVICES) world.spawn(name);
  await waiting(world);
  expect(await world.stop()).toEqual([]);
});
