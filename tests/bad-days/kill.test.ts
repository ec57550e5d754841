import { expect, test, vi } from 'vitest';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { SERVICES, splitWorld } from '../support/split-world.ts';
import { underLoad } from '../support/under-load.ts';

vi.setConfig({ testTimeout: 600_000 });

test('any process killed under load and restarted: nothing lost, duplicated or left behind', async () => {
  const world = await splitWorld();
  await world.start('log', ...SERVICES);
  const random = createRandom(faultSeed);
  // Connections to a gateway that is killed break.
  const { served, check } = await underLoad(world, { mayBreak: true });
  for (let round = 0; round < faultRounds(1); round++) {
    const left = ['log', ...SERVICES] as const;
    for (const name of [...left].sort(() => random.below(3) - 1)) {
      await served(1 + random.below(8));
      expect(await world.end(name, 'SIGKILL')).toBe('SIGKILL');
      await world.start(name);
    }
  }
  await served(1);
  expect(await check()).toEqual([]);
});

test('a service that is down is reported with a clear refusal, and the others continue', async () => {
  const world = await splitWorld();
  await world.start('log', ...SERVICES);
  const { served, refused, check } = await underLoad(world);
  for (const name of ['tracker', 'repo'] as const) {
    await served(2);
    await world.end(name, 'SIGKILL');
    await refused(2);
    await served(2);
    await world.start(name);
  }
  expect(await check()).toEqual([]);
});
