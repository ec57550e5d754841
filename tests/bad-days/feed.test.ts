import { setTimeout as sleep } from 'node:timers/promises';
import { topicOf } from '@forgelog/contracts/event.ts';
import { openEventStoreDbEventStore } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-event-store.ts';
import { BEGINNING } from '@forgelog/eventing/event.ts';
import { consumeUntil } from '@forgelog/eventing/testing/kafka-consumer.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { consumed, expectWhole, leaving } from '../support/consumed-feed.ts';
import { lightLoad } from '../support/light-load.ts';
import { scrape } from '../support/metrics.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { SERVICES, type SplitWorld, splitWorld } from '../support/split-world.ts';
import { startTcpProxy, type Weather } from '../support/tcp-proxy.ts';
import { verifySplit } from '../support/verify.ts';

vi.setConfig({ testTimeout: 600_000 });

/** What the broker tells clients that it listens at, and where it does: the proxy is what listens at the first. */
const { KAFKA_PROXIED_BROKERS: told, KAFKA_BEHIND_PROXY: behind } = process.env;
const portOf = (address: string) => Number(address.split(':').at(-1));

/** How old the oldest event is that has not left, in seconds, of the service that most events come from. */
async function lagOf(world: SplitWorld): Promise<number> {
  const { samples } = await scrape(world.addressOf('tracker'));
  return samples.find(({ name, labels }) => name === 'forgelog_feed_lag_seconds' && labels.feed === 'kafka')!
    .value;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

/** Asks every service whether it is ready, again and again until `signal` aborts. Gives what else was answered. */
async function unready(world: SplitWorld, signal: AbortSignal): Promise<string[]> {
  const wrong: string[] = [];
  while (!signal.aborted) {
    for (const service of SERVICES) {
      const { status } = await fetch(`${world.addressOf(service)}/-/readiness`);
      if (status !== 200) wrong.push(`readiness of ${service} ${status}`);
    }
    await sleep(100);
  }
  return wrong;
}

test.skipIf(!told || !behind)(
  'Kafka down, slow, silent, cut off in mid-reply and flapping: nobody waits, all leaves, in order (needs KAFKA_PROXIED_BROKERS)',
  async () => {
    const proxy = await startTcpProxy({ port: portOf(behind!) }, portOf(told!));
    onTestFinished(() => proxy.close());
    const world = await splitWorld({ environment: { KAFKA_BROKERS: told! }, isLogPatient: true });
    // Kafka comes after who feeds it.
    await proxy.set({ kind: 'refuse' });
    await world.start('log', ...SERVICES);
    const load = await lightLoad(world.url);
    const ending = new AbortController();
    const probing = unready(world, ending.signal);
    const random = createRandom(faultSeed);

    /** While nothing reaches Kafka, or nothing comes back, requests are answered, and the lag grows. */
    async function lags(weather: Weather): Promise<void> {
      await proxy.set(weather);
      await load.served(10);
      await until(async () => (await lagOf(world)) > 1);
      await load.served(10);
      await until(async () => (await lagOf(world)) > 3);
    }

    /** Everything from before leaves by itself, while requests go on. */
    async function passes(): Promise<void> {
      const since = Date.now();
      await proxy.set({ kind: 'pass' });
      await until(async () => (await lagOf(world)) * 1000 < Date.now() - since);
    }

    await lags({ kind: 'refuse' });
    await passes();
    for (let round = 0; round < faultRounds(1); round++) {
      await lags({ kind: 'refuse' });
      await passes();

      await lags({ kind: 'black-hole' });
      await passes();

      await proxy.set({ kind: 'delay', ms: 40 });
      await load.served(10);
      await lags({ kind: 'throttle', bytesPerSecond: 1000 });
      await passes();

      // Events are stored and the word of it is lost.
      await proxy.set({ kind: 'mute' });
      const title = await load.next();
      await consumeUntil([topicOf('tracker')], ({ value }) => value.includes(title));
      proxy.cut();
      await passes();

      const { cut } = proxy.counts;
      await proxy.set({ kind: 'reset', afterBytes: () => 20 + random.below(1500) });
      await until(async () => proxy.counts.cut >= cut + 20);
      await load.served(5);
      await passes();

      for (let times = 0; times < 4; times++) {
        await proxy.set({ kind: 'refuse' });
        await load.served(2);
        await proxy.set({ kind: 'pass' });
        await load.served(2);
      }
      await passes();

      // The connections of all services are forgotten on the way, without a word.
      proxy.strand();
      await load.served(10);
      await until(async () => (await lagOf(world)) > 3);
      await passes();
    }

    ending.abort();
    const titles = await load.stop();
    await world.healed();
    const log = openEventStoreDbEventStore({ url: world.logUrl });
    onTestFinished(() => log.close());
    const events = leaving(await log.readAll({ after: BEGINNING, limit: 1_000_000 }));
    const sent = expectWhole(await consumed(events, ['admin', 'repo', 'tracker']), events);
    expect(sent.map(({ data }) => (data as { title?: string }).title)).toEqual(
      expect.arrayContaining(titles),
    );
    expect([...load.surprises, ...(await probing), ...(await world.stop())]).toEqual([]);
    expect((await verifySplit(world)).problems).toEqual([]);
  },
);
