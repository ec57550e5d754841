import { setTimeout as sleep } from 'node:timers/promises';
import { openMemoryRegisters } from '@forgelog/eventing/adapters/memory/memory-registers.ts';
import type { Registers } from '@forgelog/eventing/registers.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { createSignInLimit, type SignInLimit } from '@forgelog/service-kit/sign-in-limit.ts';
import { expect, test, vi } from 'vitest';
import { createSharedFailures } from './shared-failures.ts';

const HOME = '192.0.2.1';
const key = Buffer.alloc(32, 7);

/** Registers that answer after a while, as over a network. */
const slowly = (registers: Registers, ms = 2): Registers => ({
  ...registers,
  read: (name) => sleep(ms).then(() => registers.read(name)),
  write: (...written) => sleep(ms).then(() => registers.write(...written)),
});

function gateways(count: number, registers: Registers = slowly(openMemoryRegisters()), patienceMs?: number) {
  const world = { now: Date.UTC(2021, 8, 1, 12) };
  const warn = vi.fn();
  const blocked = vi.fn();
  const log = { ...createLogger({ LOG_LEVEL: 'silent' }), warn } as unknown as ReturnType<
    typeof createLogger
  >;
  const all = Array.from({ length: count }, () => {
    const now = () => world.now;
    const failures = createSharedFailures({ registers, instanceKey: () => key, now, log, patienceMs });
    return createSignInLimit(failures, blocked);
  });
  return Object.assign(world, { all, warn, blocked });
}

async function admits(work: () => unknown): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'too_many_requests' });
    return false;
  }
}

const guess = (limit: SignInLimit, account: string, address = HOME) =>
  admits(async () => {
    const attempt = limit.attempt(address, account);
    await attempt.begin();
    attempt.wrong();
  });

const guessToken = (limit: SignInLimit, token: string) => admits(() => limit.wrongToken(HOME, token).counted);

const isTrue = (value: boolean) => value;

test.each([1, 2, 4])('%i gateways let ten wrong passwords pass together, all at once', async (count) => {
  const { all, blocked } = gateways(count);
  const guesses = await Promise.all(Array.from({ length: 60 }, (_, at) => guess(all[at % count]!, 'ada')));
  expect(guesses.filter(isTrue)).toHaveLength(10);
  expect(blocked.mock.calls).toEqual([[{ address: HOME, account: 'ada', seconds: 60 }]]);
});

test('blocks double for all gateways, also for one that starts later, and end for all', async () => {
  const registers = openMemoryRegisters();
  const world = gateways(2, registers);
  const [one, other] = world.all as [SignInLimit, SignInLimit];
  for (let at = 0; at < 10; at += 1) expect(await guess(at % 2 ? one : other, 'ada')).toBe(true);
  expect([await guess(one, 'ada'), await guess(other, 'ada')]).toEqual([false, false]);
  world.now += 60_000;
  for (let at = 0; at < 10; at += 1) expect(await guess(at % 2 ? one : other, 'ada')).toBe(true);
  expect(world.blocked).toHaveBeenLastCalledWith({ address: HOME, account: 'ada', seconds: 120 });
  const later = gateways(1, registers);
  later.now = world.now;
  expect(await guess(later.all[0]!, 'ada')).toBe(false);
  expect(await guess(later.all[0]!, 'ada', '192.0.2.2')).toBe(true);
});

test('a right password at one gateway ends the count of the others', async () => {
  const world = gateways(2);
  const [one, other] = world.all as [SignInLimit, SignInLimit];
  for (let at = 0; at < 9; at += 1) await guess(one, 'ada');
  const attempt = other.attempt(HOME, 'ada');
  await attempt.begin();
  // The tenth began a block, until it is found right.
  expect(await guess(one, 'ada')).toBe(false);
  attempt.right();
  await sleep(50);
  world.now += 1_000;
  await guess(one, 'ada');
  await sleep(50);
  for (let at = 0; at < 9; at += 1) expect(await guess(one, 'ada')).toBe(true);
});

test('fifty wrong tokens at two gateways block their address at both, but for who was right there', async () => {
  const world = gateways(2);
  const [one, other] = world.all as [SignInLimit, SignInLimit];
  expect(await admits(() => one.admit(HOME, 'known'))).toBe(true);
  const guesses = await Promise.all(
    Array.from({ length: 200 }, (_, at) => guessToken(world.all[at % 2]!, `guess ${at}`)),
  );
  expect(guesses.filter(isTrue)).toHaveLength(50);
  world.now += 1_000;
  expect([await admits(() => one.admit(HOME, 'new')), await admits(() => other.admit(HOME, 'new'))]).toEqual([
    ...[false, false],
  ]);
  expect(one.admit(HOME, 'known')).toBeUndefined();
});

test('who is known at their address waits for no register, and many who are new ask it once a second', async () => {
  const registers = openMemoryRegisters();
  const read = vi.fn(registers.read);
  const write = vi.fn(registers.write);
  const { all } = gateways(1, { ...registers, read, write });
  await Promise.all(Array.from({ length: 100 }, (_, at) => all[0]!.admit(HOME, `token ${at}`)));
  expect(read.mock.calls.length).toBeLessThanOrEqual(2);
  for (let at = 0; at < 100; at += 1) expect(all[0]!.admit(HOME, `token ${at}`)).toBeUndefined();
  expect(read.mock.calls.length).toBeLessThanOrEqual(2);
  expect(write).not.toHaveBeenCalled();
});

test.each<[string, Partial<Registers>]>([
  ['are away', { read: () => Promise.reject(new Error('away')) }],
  ['do not answer', { read: () => new Promise(() => {}) }],
  ['take no writes', { write: () => new Promise(() => {}) }],
  ['are always written by others', { write: async () => false }],
])('where the registers %s, each gateway counts alone and says so once', async (_, broken) => {
  const world = gateways(2, { ...openMemoryRegisters(), ...broken }, 50);
  for (const limit of world.all) {
    const guesses = await Promise.all(Array.from({ length: 30 }, () => guess(limit, 'ada')));
    expect(guesses.filter(isTrue)).toHaveLength(10);
  }
  expect(world.warn).toHaveBeenCalledTimes(2);
});

test('the register names nobody, and stays small however many guess', async () => {
  const registers = openMemoryRegisters();
  const { all } = gateways(2, registers);
  const many = Array.from({ length: 5_000 }, (_, at) =>
    guess(all[at % 2]!, `user${at}`, `10.${at % 200}.0.1`),
  );
  await Promise.all(many);
  for (let at = 0; at < 10; at += 1) await guess(all[0]!, 'ada');
  expect(await guess(all[1]!, 'ada')).toBe(false);
  const { value } = (await registers.read('sign-ins'))!;
  expect(value.length).toBeLessThan(60_000);
  expect(value).not.toMatch(/user|ada|192\.0\.2/);
});

test('a clock that is set back by a day leaves nobody blocked for a day', async () => {
  const world = gateways(1);
  const [gateway] = world.all as [SignInLimit];
  for (let at = 0; at < 10; at += 1) await guess(gateway, 'ada');
  expect(await guess(gateway, 'ada')).toBe(false);
  world.now -= 24 * 3_600_000;
  for (let at = 0; at < 10; at += 1) expect(await guess(gateway, 'ada')).toBe(true);
  expect(await guess(gateway, 'ada')).toBe(false);
});
