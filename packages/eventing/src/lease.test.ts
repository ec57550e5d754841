import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { openMemoryRegisters } from './adapters/memory/memory-registers.ts';
import { SYSTEM_METADATA } from './event.ts';
import type { Policy } from './policy.ts';
import type { Projectors } from './projector.ts';
import { registerLeases } from './register-lease.ts';
import type { Registers } from './registers.ts';
import { addItem, basketDecider, startSystem } from './testing/sample-domain.ts';

const PATIENCE_MS = 200;
const running: Projectors[] = [];
afterEach(async () => {
  for (const projectors of running.splice(0)) await projectors.stop();
});

function cluster(registers: Registers = openMemoryRegisters()) {
  const store = openMemoryEventStore();
  const reactions: { replica: string; amount: number }[] = [];
  async function replica(name: string, over: Registers = registers, react?: Policy['react']) {
    const policy: Policy = {
      name: 'noting',
      handles: ['ItemAdded'],
      actsAs: {},
      async react(event, signal) {
        await react?.(event, signal);
        reactions.push({ replica: name, amount: (event.data as { amount: number }).amount });
      },
    };
    const leases = registerLeases({
      registers: over,
      presences: 'replicas',
      holder: name,
      patienceMs: PATIENCE_MS,
    });
    const system = await startSystem({ store, policies: [policy], leases });
    running.push(system.projectors);
    const add = (amount: number) =>
      system.handler.handle(basketDecider, `basket-${amount}`, addItem('1', amount), SYSTEM_METADATA);
    return { ...system.projectors, add };
  }
  const amounts = () => reactions.map(({ amount }) => amount);
  return { replica, reactions, amounts };
}

test('one of two replicas reacts to each event, once', async () => {
  const { replica, reactions, amounts } = cluster();
  const [first, second] = await Promise.all([replica('a'), replica('b')]);
  for (let amount = 1; amount <= 20; amount += 1) await (amount % 2 ? first : second).add(amount);
  await expect.poll(() => amounts()).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  expect(new Set(reactions.map(({ replica: name }) => name)).size).toBe(1);
});

test('the next replica resumes at the position of the one that left', async () => {
  const { replica, reactions } = cluster();
  const first = await replica('a');
  await first.add(1);
  await expect.poll(() => reactions).toHaveLength(1);
  const second = await replica('b');
  await first.stop();
  await second.add(2);
  await expect
    .poll(() => reactions)
    .toEqual([
      { replica: 'a', amount: 1 },
      { replica: 'b', amount: 2 },
    ]);
});

test('a silent holder loses its lease, and its later write is rejected', async () => {
  const registers = openMemoryRegisters();
  let cut = false;
  const failing: Registers = {
    ...registers,
    write: (...args) => (cut ? Promise.reject(new Error('cut off')) : registers.write(...args)),
  };
  const { replica, reactions } = cluster(registers);
  const first = await replica('a', failing);
  await first.add(1);
  await expect.poll(() => reactions).toHaveLength(1);
  cut = true;
  const second = await replica('b');
  await second.add(2);
  await expect.poll(() => reactions).toContainEqual({ replica: 'b', amount: 2 });
  cut = false;
  await second.add(3);
  await expect.poll(() => reactions.at(-1)).toEqual({ replica: 'b', amount: 3 });
  expect(reactions.filter(({ replica: name, amount }) => name === 'a' && amount === 3)).toEqual([]);
});

test('a replica that lost its lease during a reaction goes on where the others have come to', async () => {
  const registers = openMemoryRegisters();
  let isMute = false;
  const mute: Registers = {
    ...registers,
    write: (...args) => (isMute ? Promise.reject(new Error('mute')) : registers.write(...args)),
  };
  const { replica, reactions, amounts } = cluster(registers);
  const asked: AbortSignal[] = [];
  const first = await replica('a', mute, async (_, signal) => {
    asked.push(signal);
    if (asked.length === 1) await once(signal, 'abort');
    signal.throwIfAborted();
  });
  await first.add(1);
  await expect.poll(() => asked).toHaveLength(1);
  isMute = true;
  const second = await replica('b');
  await expect.poll(() => reactions).toEqual([{ replica: 'b', amount: 1 }]);
  await second.add(2);
  await expect.poll(() => amounts()).toEqual([1, 2]);
  await second.stop();
  isMute = false;
  await first.add(3);
  await expect.poll(() => reactions.at(-1)).toEqual({ replica: 'a', amount: 3 });
  expect(await first.policiesIdle({ timeoutMs: 30_000 })).toBe(true);
  expect(amounts()).toEqual([1, 2, 3]);
});

test('a write with a lost answer does not cost the lease', async () => {
  const registers = openMemoryRegisters();
  const forgotten = new Set<string>();
  const forgetful: Registers = {
    ...registers,
    async write(name, version, value) {
      const written = await registers.write(name, version, value);
      if (version === 1 && !forgotten.has(name)) {
        forgotten.add(name);
        throw new Error('the answer was lost');
      }
      return written;
    },
  };
  const { replica, amounts } = cluster(forgetful);
  const only = await replica('a');
  for (const amount of [1, 2, 3]) await only.add(amount);
  await expect.poll(() => amounts()).toEqual([1, 2, 3]);
  await expect.poll(() => [...forgotten].toSorted()).toEqual(['policy:noting', 'replicas']);
  await only.add(4);
  await expect.poll(() => amounts()).toEqual([1, 2, 3, 4]);
});

test('an idle lease is written once; the presence of its replica is renewed', async () => {
  const registers = openMemoryRegisters();
  const written: string[] = [];
  const { replica } = cluster({
    ...registers,
    write(name, ...rest) {
      written.push(name);
      return registers.write(name, ...rest);
    },
  });
  await replica('a');
  const signs = () => written.filter((name) => name === 'replicas').length;
  await expect.poll(signs).toBeGreaterThan(5);
  expect(written.filter((name) => name === 'policy:noting')).toHaveLength(1);
});

test('a replica that cannot show signs of life gives its lease up before another takes it', async () => {
  const registers = openMemoryRegisters();
  let isMute = false;
  const mute: Registers = {
    ...registers,
    write: (name, ...rest) =>
      isMute && name === 'replicas' ? Promise.reject(new Error('mute')) : registers.write(name, ...rest),
  };
  const held: string[] = [];
  const leaseOf = (holder: string, over: Registers) =>
    registerLeases({ registers: over, presences: 'replicas', holder, patienceMs: PATIENCE_MS })('lease');
  const ending = new AbortController();
  const first = leaseOf('a', mute);
  const own = await first.acquire(ending.signal);
  own.held.addEventListener('abort', () => held.push('a gave up'));
  isMute = true;
  const second = leaseOf('b', registers);
  await second.acquire(ending.signal);
  held.push('b took');
  expect(held).toEqual(['a gave up', 'b took']);
  await expect(first.save('1')).rejects.toThrow('taken by another replica');
  ending.abort();
  await Promise.all([first.release(), second.release()]);
});

test('a replica that cannot see the signs of others takes nothing from them', async () => {
  const registers = openMemoryRegisters();
  let isBlind = false;
  const blind: Registers = {
    ...registers,
    read: (name) =>
      isBlind && name === 'replicas' ? Promise.reject(new Error('blind')) : registers.read(name),
  };
  const leaseOf = (holder: string, over: Registers) =>
    registerLeases({ registers: over, presences: 'replicas', holder, patienceMs: PATIENCE_MS })('lease');
  const ending = new AbortController();
  const first = leaseOf('a', registers);
  const { held } = await first.acquire(ending.signal);
  let seen = 0;
  const second = leaseOf('b', blind);
  const taken = second
    .acquire(ending.signal, () => (seen += 1))
    .then(
      () => true,
      () => false,
    );
  await expect.poll(() => seen).toBeGreaterThan(1);
  isBlind = true;
  const before = seen;
  // Longer than the patience: it looks at the lease every fifth of that.
  await expect.poll(() => seen - before).toBeGreaterThan(10);
  expect(held.aborted).toBe(false);
  ending.abort();
  expect(await taken).toBe(false);
  await first.release();
});
