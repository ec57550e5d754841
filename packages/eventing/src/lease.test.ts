import { afterEach, expect, test } from 'vitest';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { openMemoryRegisters } from './adapters/memory/memory-registers.ts';
import { SYSTEM_METADATA } from './event.ts';
import { type Leases, registerLease } from './lease.ts';
import type { Policy } from './policy.ts';
import type { Projectors } from './projector.ts';
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
  async function replica(name: string, over: Registers = registers) {
    const policy: Policy = {
      name: 'noting',
      handles: ['ItemAdded'],
      actsAs: {},
      async react(event) {
        reactions.push({ replica: name, amount: (event.data as { amount: number }).amount });
      },
    };
    const leases: Leases = (lease) =>
      registerLease({ name: lease, registers: over, holder: name, patienceMs: PATIENCE_MS });
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

test('a write with a lost answer does not cost the lease', async () => {
  const registers = openMemoryRegisters();
  let losses = 0;
  const forgetful: Registers = {
    ...registers,
    async write(name, version, value) {
      const written = await registers.write(name, version, value);
      if (version === 2 && losses++ === 0) throw new Error('the answer was lost');
      return written;
    },
  };
  const { replica, amounts } = cluster(forgetful);
  const only = await replica('a');
  for (const amount of [1, 2, 3]) await only.add(amount);
  await expect.poll(() => amounts()).toEqual([1, 2, 3]);
  expect(losses).toBeGreaterThan(0);
});
