import { topicOf } from '@forgelog/contracts/event.ts';
import { openEventStoreDbEventStore } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-event-store.ts';
import { BEGINNING } from '@forgelog/eventing/event.ts';
import { consumeUntil } from '@forgelog/eventing/testing/kafka-consumer.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { consumed, expectWhole, leaving } from '../support/consumed-feed.ts';
import { eventually } from '../support/eventually.ts';
import { lightLoad } from '../support/light-load.ts';
import { scrape } from '../support/metrics.ts';
import { probeAll } from '../support/probes.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { SERVICES, type SplitWorld, splitWorld } from '../support/split-world.ts';
import { startTcpProxy, type Weather } from '../support/tcp-proxy.ts';
import { verifySplit } from '../support/verify.ts';

vi.setConfig({ testTimeout: 900_000 });

/** Milliseconds; several times what the feed's own deadlines and retries take together. */
const STEP_MS = 120_000;

/** What the broker tells clients that it listens at, and where it does: the proxy is what listens at the first. */
const { KAFKA_PROXIED_BROKERS: told, KAFKA_BEHIND_PROXY: behind } = process.env;
const portOf = (address: string) => Number(address.split(':').at(-1));

/**
 * How old the oldest event is that has not left, in seconds, of the service that most events come from; undefined until
 * its relay knows where it stands.
 */
async function lagOf(world: SplitWorld): Promise<number | undefined> {
  const { samples } = await scrape(world.addressOf('tracker'));
  return samples.find(({ name, labels }) => name === 'forgelog_feed_lag_seconds' && labels.feed === 'kafka')
    ?.value;
}

/** What the tracker's log says of its feed last. */
function lastFailure(world: SplitWorld): string {
  const lines = world.parts.get('tracker')!.output().split('\n');
  return lines.findLast((line) => line.includes('feed failed')) ?? 'The feed logged no failure.';
}

test.skipIf(!told || !behind)(
  'Kafka down, slow, silent, cut off in mid-reply and flapping: no request waits, and all is published in order (needs KAFKA_PROXIED_BROKERS)',
  async () => {
    const proxy = await startTcpProxy({ port: portOf(behind!) }, portOf(told!));
    onTestFinished(() => proxy.close());
    const world = await splitWorld({
      environment: { KAFKA_BROKERS: told!, LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'error' },
      isLogPatient: true,
    });
    // Kafka comes after who feeds it.
    await proxy.set({ kind: 'refuse' });
    await world.start('log', ...SERVICES);
    const load = await lightLoad(world.url);
    const probing = probeAll(SERVICES.map(world.addressOf));
    const random = createRandom(faultSeed);

    const served = (count: number) => load.served(count, STEP_MS);
    const lags = (weather: string, seconds: number) =>
      eventually(`the feed lags by more than ${seconds} s (${weather})`, () => lagOf(world), {
        until: (lag) => lag !== undefined && lag > seconds,
        deadlineMs: STEP_MS,
        everyMs: 50,
        detail: () => lastFailure(world),
      });

    /** While nothing reaches Kafka, or nothing comes back, requests are answered, and the lag grows. */
    async function holdsUp(weather: Weather): Promise<void> {
      await proxy.set(weather);
      await Promise.all([served(20), lags(weather.kind, 3)]);
    }

    /** Everything from before leaves by itself, while requests go on. */
    async function passes(after: string): Promise<void> {
      const since = Date.now();
      await proxy.set({ kind: 'pass' });
      await eventually(`what is older than this wait leaves (after: ${after})`, () => lagOf(world), {
        until: (lag) => lag !== undefined && lag * 1000 < Date.now() - since,
        deadlineMs: STEP_MS,
        everyMs: 50,
        detail: () => lastFailure(world),
      });
    }

    await holdsUp({ kind: 'refuse' });
    await passes('a start without Kafka');
    for (let round = 0; round < faultRounds(1); round++) {
      await holdsUp({ kind: 'refuse' });
      await passes('refuse');

      await holdsUp({ kind: 'black-hole' });
      await passes('black-hole');

      await proxy.set({ kind: 'delay', ms: 40 });
      await served(10);
      // A request with a single event takes longer than the lag that is waited for, however slow the load.
      await holdsUp({ kind: 'throttle', bytesPerSecond: 100 });
      await passes('throttle');

      // An event is stored and the word of it is lost. A request on its way at this time would hold it back else.
      const title = load.coming();
      await proxy.set({ kind: 'mute', after: title });
      await consumeUntil([topicOf('tracker')], ({ value }) => value.includes(title), {
        what: `"${title}", whose acknowledgement is lost`,
        deadlineMs: STEP_MS,
      });
      proxy.cut();
      await passes('mute');

      const { cut } = proxy.counts;
      await proxy.set({ kind: 'reset', afterBytes: () => 20 + random.below(1500) });
      await eventually(`connections are cut off, up to ${cut + 20} (reset)`, () => proxy.counts.cut, {
        until: (now) => now >= cut + 20,
        deadlineMs: STEP_MS,
        detail: () => lastFailure(world),
      });
      await served(5);
      await passes('reset');

      for (let times = 0; times < 4; times++) {
        await proxy.set({ kind: 'refuse' });
        await served(2);
        await proxy.set({ kind: 'pass' });
        await served(2);
      }
      await passes('flapping');

      // The connections of all services are forgotten on the way, without a word, until a request times out.
      proxy.strand();
      await Promise.all([served(10), lags('strand', 3)]);
      await passes('strand');
    }

    const titles = await load.stop();
    const unready = await probing.stop();
    await world.healed();
    const log = openEventStoreDbEventStore({ url: world.logUrl });
    onTestFinished(() => log.close());
    const events = leaving(await log.readAll({ after: BEGINNING, limit: 1_000_000 }));
    const sent = expectWhole(await consumed(events, ['admin', 'repo', 'tracker']), events);
    expect(sent.map(({ data }) => (data as { title?: string }).title)).toEqual(
      expect.arrayContaining(titles),
    );
    expect([...load.surprises, ...unready, ...(await world.stop())]).toEqual([]);
    expect((await verifySplit(world)).problems).toEqual([]);
  },
);
