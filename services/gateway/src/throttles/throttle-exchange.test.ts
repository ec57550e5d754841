import { setTimeout as sleep } from 'node:timers/promises';
import { openMemoryRegisters } from '@forgelog/eventing/adapters/memory/memory-registers.ts';
import type { Registers } from '@forgelog/eventing/registers.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { expect, test, vi } from 'vitest';
import { createThrottleCounts, type ThrottleCounts } from './throttle-counts.ts';
import { createThrottleExchange } from './throttle-exchange.ts';
import type { ThrottleRule } from './throttle-rules.ts';

const ruleOf = (limit: number): ThrottleRule => ({
  ...{ name: 'throttle_authenticated_api', limit, periodMs: 3_600_000, by: 'caller' },
  ...{ text: 'Retry later', allowed: new Set() },
});

/** Registers that answer after a while, as over a network. */
const slowly = (registers: Registers, ms = 2): Registers => ({
  ...registers,
  read: (name) => sleep(ms).then(() => registers.read(name)),
  write: (...written) => sleep(ms).then(() => registers.write(...written)),
});

function gateways(count: number, registers: Registers = slowly(openMemoryRegisters()), patienceMs?: number) {
  const world = { now: Date.UTC(2021, 8, 1, 12) };
  const now = () => world.now;
  const warn = vi.fn();
  const log = { ...createLogger({ LOG_LEVEL: 'silent' }), warn } as unknown as ReturnType<
    typeof createLogger
  >;
  const all = Array.from({ length: count }, (_, at) =>
    createThrottleCounts(now, createThrottleExchange({ registers, holder: `g${at}`, now, log, patienceMs })),
  );
  return Object.assign(world, { all, warn });
}

/** How many of these requests are admitted, all asked at once. */
async function admittedOf(asked: readonly ThrottleCounts[], limit: number, caller = 'ada'): Promise<number> {
  const taken = await Promise.all(asked.map((counts) => counts.take(ruleOf(limit), caller)));
  return taken.filter(({ admitted }) => admitted).length;
}

const times = (count: number, ...counts: ThrottleCounts[]) =>
  Array.from({ length: count }, (_, at) => counts[at % counts.length]!);

test.each([1, 5, 10, 100, 3600])(
  'a limit of %i holds within a tenth, however requests fall on gateways',
  async (limit) => {
    const within = (admitted: number) => {
      expect(admitted).toBeGreaterThanOrEqual(limit);
      expect(admitted).toBeLessThanOrEqual(limit * 1.1);
    };
    const two = gateways(2).all;
    within(await admittedOf(times(limit * 3, ...two), limit));
    const [one, other] = gateways(2).all;
    within(await admittedOf([...times(limit * 2, one!), ...times(3, other!)], limit));
    // One after the other: first a part at one, then the rest at the other.
    const [first, second] = gateways(2).all;
    const part = Math.floor(limit * 0.7);
    within(
      (await admittedOf(times(part, first!), limit)) + (await admittedOf(times(limit * 2, second!), limit)),
    );
    within(await admittedOf(times(limit * 3, ...gateways(4).all), limit));
  },
);

test('in small steps, nobody waits for the register until a caller is beyond what need not be told', async () => {
  const reads = vi.fn(openMemoryRegisters().read);
  const { all } = gateways(2, { ...openMemoryRegisters(), read: reads });
  for (let at = 0; at < 45; at += 1) expect(all[0]!.take(ruleOf(3600), 'ada')).not.toBeInstanceOf(Promise);
  expect(reads).not.toHaveBeenCalled();
  for (let at = 0; at < 45; at += 1) expect(all[0]!.take(ruleOf(3600), 'ada')).not.toBeInstanceOf(Promise);
  expect(reads).toHaveBeenCalledOnce();
});

test('who is over the limit is refused at once, and the next window begins anew', async () => {
  const world = gateways(2);
  const [one, other] = world.all;
  await admittedOf(times(300, one!, other!), 100);
  expect(one!.take(ruleOf(100), 'ada')).toMatchObject({ admitted: false, observed: expect.any(Number) });
  world.now += 3_600_000;
  expect(await admittedOf(times(50, one!), 100)).toBe(50);
  expect(await admittedOf([other!], 100, 'grace')).toBe(1);
});

test('a gateway that starts again learns what was admitted before', async () => {
  const registers = openMemoryRegisters();
  expect(await admittedOf(times(10, ...gateways(1, registers).all), 10)).toBe(10);
  const world = gateways(2, registers);
  // Another name: the tests' gateways have the same ones.
  expect(await admittedOf(times(10, world.all[1]!), 10)).toBe(0);
});

test.each<[string, Partial<Registers>]>([
  ['are away', { read: () => Promise.reject(new Error('away')) }],
  ['do not answer', { read: () => new Promise(() => {}) }],
  ['are always written by others', { write: async () => false }],
])('where the registers %s, each gateway counts alone and says so once', async (_, broken) => {
  const world = gateways(2, { ...openMemoryRegisters(), ...broken }, 50);
  const [one, other] = world.all;
  expect(await admittedOf(times(20, one!), 10)).toBe(10);
  expect(one!.take(ruleOf(10), 'ada')).toMatchObject({ admitted: false });
  expect(world.warn).toHaveBeenCalledOnce();
  expect(await admittedOf(times(20, other!), 10)).toBe(10);
});

test('ten thousand callers near their limits are all answered, and the register stays small', async () => {
  const registers = openMemoryRegisters();
  const { all } = gateways(2, registers);
  const asked = Array.from({ length: 10_000 }, (_, at) => all[at % 2]!.take(ruleOf(5), `a${at}`));
  expect((await Promise.all(asked)).filter(({ admitted }) => admitted)).toHaveLength(10_000);
  expect((await registers.read('throttles'))!.value.length).toBeLessThan(100_000);
});
