import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { openMemoryReadStore } from './adapters/memory/memory-read-store.ts';
import { type RecordedEvent, SYSTEM_METADATA } from './event.ts';
import type { Policy } from './policy.ts';
import { addItem, basketDecider, baskets, closeBasket, startSystem } from './testing/sample-domain.ts';

const none = SYSTEM_METADATA;

function recording(name = 'recording', react: (event: RecordedEvent) => Promise<void> = async () => {}) {
  const seen: unknown[] = [];
  const policy: Policy = {
    name,
    handles: ['ItemAdded'],
    actsAs: {},
    async react(event) {
      await react(event);
      seen.push((event.data as { amount: number }).amount);
    },
  };
  return { policy, seen };
}

test('reacts to each event in order, once it is projected', async () => {
  const totals: unknown[] = [];
  const { policy, seen } = recording('recording', async () => {
    totals.push((await system.readStore.get(baskets, '1'))?.total);
  });
  const system = await startSystem({ policies: [policy] });
  for (const amount of [1, 2, 3])
    await system.handler.handle(basketDecider, 'basket-1', addItem('1', amount), none);
  expect(await system.projectors.policiesIdle()).toBe(true);
  expect(seen).toEqual([1, 2, 3]);
  expect(totals.every((total, index) => (total as number) >= [1, 3, 6][index]!)).toBe(true);
  await system.projectors.stop();
});

test('resumes after the last event that it handled', async () => {
  const { policy, seen } = recording();
  const first = await startSystem({ policies: [policy] });
  await first.handler.handle(basketDecider, 'basket-1', addItem('1', 1), none);
  await first.projectors.policiesIdle();
  await first.projectors.stop();
  const { store, readStore } = first;
  const second = await startSystem({ store, readStore, policies: [policy] });
  await second.handler.handle(basketDecider, 'basket-1', addItem('1', 2), none);
  await second.projectors.policiesIdle();
  expect(seen).toEqual([1, 2]);
  await second.projectors.stop();
});

test('continues at the end of a log restored from an older backup', async () => {
  const { policy, seen } = recording();
  const readStore = openMemoryReadStore();
  await readStore.write({ changes: [], checkpoints: new Map([['policy:recording', '9999999999999999']]) });
  const system = await startSystem({ readStore, policies: [policy] });
  await system.handler.handle(basketDecider, 'basket-1', addItem('1', 1), none);
  await system.projectors.policiesIdle();
  expect(seen).toEqual([1]);
  await system.projectors.stop();
});

test('retries a failing reaction without blocking projections or other policies', async () => {
  let failures = 5;
  const failing = recording('failing', async () => {
    if (failures-- > 0) throw new Error('mail server is down');
  });
  const fine = recording('fine');
  const error = vi.fn();
  const log = { info() {}, error };
  const system = await startSystem({ policies: [failing.policy, fine.policy], log, policyPauseMs: 5 });
  await system.handler.handle(basketDecider, 'basket-1', addItem('1', 1), none);
  await system.handler.handle(basketDecider, 'basket-1', addItem('1', 2), none);
  await expect.poll(() => fine.seen).toEqual([1, 2]);
  expect(failing.seen).toEqual([]);
  expect(system.projectors.policies()[0]).toMatchObject({ failing: { attempts: expect.any(Number) } });
  expect(await system.projectors.policiesIdle({ timeoutMs: 1 })).toBe(false);
  expect(await system.projectors.policiesIdle()).toBe(true);
  expect(failing.seen).toEqual([1, 2]);
  expect(error).toHaveBeenCalledTimes(5);
  expect(system.projectors.policies()[0]).toMatchObject({ failing: null });
  await system.projectors.stop();
});

test('work that outlasts reactions is begun again after a stop, from the oldest unfinished event on', async () => {
  const finished = new Map<string, boolean>();
  let moved = () => {};
  const { policy, seen } = recording('outlasting', async ({ position }) => {
    finished.set(position, false);
  });
  let before = '';
  policy.outlasting = {
    async begin(position, tellMoved) {
      [before, moved] = [position, tellMoved];
    },
    unfinished() {
      const at = [...finished].findIndex(([, isDone]) => !isDone);
      return at < 0 ? undefined : ([before, ...finished.keys()][at] ?? before);
    },
    async end() {},
  };
  const first = await startSystem({ policies: [policy] });
  for (const amount of [1, 2, 3])
    await first.handler.handle(basketDecider, 'basket-1', addItem('1', amount), none);
  await expect.poll(() => seen).toEqual([1, 2, 3]);
  expect(await first.projectors.policiesIdle({ timeoutMs: 20 })).toBe(false);
  const [one, , three] = finished.keys();
  for (const position of [one!, three!]) finished.set(position, true);
  moved();
  await first.projectors.stop();
  finished.clear();
  const { store, readStore } = first;
  const second = await startSystem({ store, readStore, policies: [policy] });
  await expect.poll(() => seen).toEqual([1, 2, 3, 2, 3]);
  for (const position of finished.keys()) finished.set(position, true);
  moved();
  expect(await second.projectors.policiesIdle()).toBe(true);
  await second.projectors.stop();
});

const inLanes = (react: (basket: string) => Promise<void>): Policy => {
  const basketOf = ({ data }: RecordedEvent) => (data as { basket: string }).basket;
  return {
    ...{ name: 'lanes', handles: ['ItemAdded'], actsAs: {}, laneOf: basketOf },
    react: (event) => react(basketOf(event)),
  };
};

test('a failing reaction holds up its own lane and no other, and the log is read again from there', async () => {
  const seen: string[] = [];
  let isAway = true;
  const policy = inLanes(async (basket) => {
    if (basket === 'away' && isAway) throw new Error('the storage is away');
    seen.push(basket);
  });
  const log = { info() {}, error() {} };
  const first = await startSystem({ policies: [policy], log, policyPauseMs: 5 });
  const add = (basket: string) =>
    first.handler.handle(basketDecider, `basket-${basket}`, addItem(basket), none);
  await add('before');
  await add('away');
  const { position } = await add('away');
  for (const basket of ['1', '2', '1']) await add(basket);
  await expect.poll(() => seen).toEqual(['before', '1', '2', '1']);
  const [status] = first.projectors.policies();
  expect(status).toMatchObject({ failing: { error: { message: 'the storage is away' } } });
  expect(status!.position < position!).toBe(true);
  await first.projectors.stop();

  const { store, readStore } = first;
  seen.length = 0;
  isAway = false;
  const second = await startSystem({ store, readStore, policies: [policy] });
  expect(await second.projectors.policiesIdle()).toBe(true);
  expect(seen.toSorted()).toEqual(['1', '1', '2', 'away', 'away']);
  expect(second.projectors.policies()[0]).toMatchObject({ failing: null });
  await second.projectors.stop();
});

test('reactions of one lane follow one another', async () => {
  const running = new Set<string>();
  const most = { lanes: 0, ofOne: 0 };
  const policy = inLanes(async (basket) => {
    most.ofOne += Number(running.has(basket));
    running.add(basket);
    most.lanes = Math.max(most.lanes, running.size);
    await new Promise((resolve) => setImmediate(resolve));
    running.delete(basket);
  });
  const first = await startSystem({});
  for (let at = 0; at < 40; at++) {
    const basket = String(at % 4);
    await first.handler.handle(basketDecider, `basket-${basket}`, addItem(basket), none);
  }
  await first.projectors.stop();
  const { store, readStore } = first;
  const second = await startSystem({ store, readStore, policies: [policy] });
  expect(await second.projectors.policiesIdle()).toBe(true);
  expect(most).toEqual({ lanes: 4, ofOne: 0 });
  await second.projectors.stop();
});

test('idle includes reactions to events that reactions appended', async () => {
  const closing: Policy = {
    name: 'closing',
    handles: ['ItemAdded'],
    actsAs: {},
    async react(event) {
      const { basket } = event.data as { basket: string };
      await system.handler.handle(basketDecider, `basket-${basket}`, closeBasket(basket), none);
    },
  };
  const closed: string[] = [];
  const noting: Policy = {
    name: 'noting',
    handles: ['BasketClosed'],
    actsAs: {},
    react: async (event) => void closed.push((event.data as { basket: string }).basket),
  };
  const system = await startSystem({ policies: [closing, noting] });
  for (const basket of ['1', '2'])
    await system.handler.handle(basketDecider, `basket-${basket}`, addItem(basket), none);
  await system.projectors.policiesIdle();
  expect(closed).toEqual(['1', '2']);
  await system.projectors.stop();
});

test('a reaction interrupted by a stop is not a failure and runs again at the next start', async () => {
  const error = vi.fn();
  const interrupted: Policy = {
    name: 'recording',
    handles: ['ItemAdded'],
    actsAs: {},
    async react(_, signal) {
      if (!signal.aborted) await once(signal, 'abort');
      throw new Error('its service has stopped');
    },
  };
  const first = await startSystem({ policies: [interrupted], log: { info() {}, error } });
  await first.handler.handle(basketDecider, 'basket-1', addItem('1', 1), none);
  await first.projectors.stop();
  expect(error).not.toHaveBeenCalled();
  const { policy, seen } = recording();
  const second = await startSystem({ ...first, policies: [policy] });
  await second.projectors.policiesIdle();
  expect(seen).toEqual([1]);
  await second.projectors.stop();
});
