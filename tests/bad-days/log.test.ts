import { openEventStoreDbEventStore } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-event-store.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { SERVICES, splitWorld } from '../support/split-world.ts';
import { underLoad } from '../support/under-load.ts';

vi.setConfig({ testTimeout: 600_000 });

test('EventStoreDB down, slow, silent, cut off in mid-reply, flapping and forgotten: nothing lost or duplicated', async () => {
  const world = await splitWorld();
  const { logProxy } = world;
  await world.start('log');
  await world.start(...SERVICES);
  const log = openEventStoreDbEventStore({ url: world.logUrl });
  onTestFinished(() => log.close());
  /** Resolves when the log has an event of this type after a place in it. */
  async function stored(type: string, after: Position): Promise<void> {
    const types = async () => (await log.readAll({ after, limit: 1000 })).map((event) => event.type);
    await eventually(`the log has a new ${type}`, types, { until: (found) => found.includes(type) });
  }
  const random = createRandom(faultSeed);

  const { refused, served, check } = await underLoad(world);
  for (let round = 0; round < faultRounds(1); round++) {
    await served(3);

    await logProxy.set({ kind: 'refuse' });
    await refused(3);
    await logProxy.set({ kind: 'pass' });
    await served(3);

    await logProxy.set({ kind: 'delay', ms: 40 });
    await served(3);
    await logProxy.set({ kind: 'throttle', bytesPerSecond: 100_000 });
    await served(3);

    // Longer than any deadline: clients are refused before it ends.
    await logProxy.set({ kind: 'black-hole' });
    await refused(3);
    await logProxy.set({ kind: 'pass' });
    await served(3);

    // Appends are stored and their replies lost.
    for (const after of ['IssueOpened', 'DiscussionStarted', 'RefUpdated']) {
      const before = await log.head();
      await logProxy.set({ kind: 'mute', after });
      await stored(after, before);
      logProxy.cut();
      await logProxy.set({ kind: 'pass' });
      await served(1);
    }

    const cut = logProxy.counts.cut;
    await logProxy.set({ kind: 'reset', afterBytes: () => 200 + random.below(6000) });
    await served(1).catch(() => {});
    await eventually(`connections are cut off, up to ${cut + 15}`, () => logProxy.counts.cut, {
      until: (now) => now >= cut + 15,
    });
    await logProxy.set({ kind: 'pass' });
    await served(3);

    for (let times = 0; times < 4; times++) {
      await logProxy.set({ kind: 'refuse' });
      await refused(1);
      await logProxy.set({ kind: 'pass' });
      await served(1);
    }

    // The connections of all services are forgotten on the way, without a word.
    logProxy.strand();
    await served(3);

    // New ones too, before the server has said its first word.
    await logProxy.set({ kind: 'strand', afterBytes: 0 });
    logProxy.cut();
    await refused(3);
    await logProxy.set({ kind: 'pass' });
    await served(3);
  }
  expect(await check()).toEqual([]);
});
