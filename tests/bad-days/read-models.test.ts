import { ownDatabases } from '@forgelog/eventing/testing/mongodb-databases.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { SERVICES, splitWorld } from '../support/split-world.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { underLoad } from '../support/under-load.ts';

vi.setConfig({ testTimeout: 900_000 });

const server = process.env.MONGODB_URL;

test.skipIf(!server)(
  'MongoDB down, slow, silent, cut off in mid-reply and flapping: nothing lost or duplicated (needs MONGODB_URL)',
  async () => {
    const own = ownDatabases(server!);
    onTestFinished(own.drop);
    const name = new URL(own.url).pathname.slice(1);
    const proxy = await startTcpProxy({ port: Number(new URL(server!).port) });
    onTestFinished(() => proxy.close());
    const addressAt = (port: number, more: string) => `mongodb://127.0.0.1:${port}/${name}?${more}`;
    const deadlines =
      'serverSelectionTimeoutMS=1500&connectTimeoutMS=1500&socketTimeoutMS=3000&heartbeatFrequencyMS=2000';
    const world = await splitWorld({
      environment: { MONGODB_URL: addressAt(proxy.port, deadlines) },
      mongodbUrl: addressAt(Number(new URL(server!).port), ''),
    });
    const random = createRandom(faultSeed);
    // MongoDB comes after who needs it.
    await proxy.set({ kind: 'refuse' });
    const started = world.start('log', ...SERVICES);
    await world.answering();
    await proxy.set({ kind: 'pass' });
    await started;
    const { refused, served, check } = await underLoad(world);
    for (let round = 0; round < faultRounds(1); round++) {
      await served(3);
      await proxy.set({ kind: 'refuse' });
      await refused(3);
      await proxy.set({ kind: 'pass' });
      await served(3);
      await proxy.set({ kind: 'delay', ms: 10 });
      await served(2);
      await proxy.set({ kind: 'throttle', bytesPerSecond: 300_000 });
      await served(2);
      await proxy.set({ kind: 'black-hole' });
      await refused(3);
      await proxy.set({ kind: 'pass' });
      await served(3);
      const { cut } = proxy.counts;
      await proxy.set({ kind: 'reset', afterBytes: () => 100 + random.below(20_000) });
      await eventually(`connections are cut off, up to ${cut + 20}`, () => proxy.counts.cut, {
        until: (now) => now >= cut + 20,
      });
      await proxy.set({ kind: 'pass' });
      await served(3);
      for (let times = 0; times < 3; times++) {
        await proxy.set({ kind: 'refuse' });
        await refused(1);
        await proxy.set({ kind: 'pass' });
        await served(1);
      }
      proxy.strand();
      await served(3);
      // Each pooled one costs somebody a 503 until its pool is known to be of no use.
      await eventually('stranded connections are given up', proxy.stranded, { until: (left) => left === 0 });
    }
    expect(await check()).toEqual([]);
  },
);
