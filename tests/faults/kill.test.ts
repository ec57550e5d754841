import { expect, test } from 'vitest';
import { endOf, type FaultWorld, faultWorld, type StartOptions } from '../support/fault-world.ts';
import type { MixedLoad } from '../support/mixed-load.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { hasStrace, injecting } from '../support/strace.ts';

/** A server under load, killed when it has acknowledged so many writes, or by what it runs under. */
async function killedUnderLoad(
  { tryStart }: FaultWorld,
  load: MixedLoad,
  { writes, all, ...options }: StartOptions & { writes: number; all: boolean },
): Promise<void> {
  const { server, up } = await tryStart(options);
  if (up)
    await load.run(up.address, (count) => {
      if (count < writes) return;
      if (all) void up.killAll();
      else process.kill(up.pid, 'SIGKILL');
    });
  await endOf(server);
}

test('a server killed at any moment loses nothing acknowledged, and leaves nothing half-written', async () => {
  const world = await faultWorld();
  const random = createRandom(faultSeed);
  const load = await world.load();
  const rounds = faultRounds(1, 2);
  for (let round = 0; round < rounds; round++) {
    const writes = 5 + random.below(60);
    const all = round % 2 === 1;
    await killedUnderLoad(world, load, { writes, all });
    const wrong = await world.inspect(({ address }) => load.check(address));
    expect(wrong, `seed ${faultSeed}, round ${round}: killed after ${writes} writes`).toEqual([]);
  }
  expect(load.acknowledged()).toBeGreaterThanOrEqual(rounds * 5);
}, 600_000);

/**
 * Calls and up to which one of them it may be. Each thread counts its own, from the start of the server on; a call
 * that is never reached kills nobody, and the load's end does.
 */
const CALLS = [
  ['pwrite64', 400],
  ['fsync', 40],
  ['rename', 12],
  ['write', 400],
  ['unlink', 6],
] as const;

test.skipIf(!hasStrace)(
  'a server killed during a system call loses nothing acknowledged (needs strace)',
  async () => {
    const world = await faultWorld();
    const random = createRandom(faultSeed + 1);
    const load = await world.load();
    for (let round = 0; round < faultRounds(1, CALLS.length); round++) {
      const [call, most] = CALLS[round % CALLS.length]!;
      const when = String(1 + random.below(most));
      await killedUnderLoad(world, load, {
        under: injecting(call, 'signal=KILL', when),
        writes: 25,
        all: true,
      });
      const wrong = await world.inspect(({ address }) => load.check(address));
      expect(wrong, `seed ${faultSeed}, round ${round}: killed in ${call} ${when}`).toEqual([]);
    }
  },
  600_000,
);
