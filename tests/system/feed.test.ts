import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryFeed } from '@forgelog/eventing/adapters/memory/memory-feed.ts';
import type { CloudEvent } from '@forgelog/eventing/cloud-event.ts';
import type { Feed } from '@forgelog/eventing/feed.ts';
import { DEADLINES, type Deadlines } from '@forgelog/service-kit/deadlines.ts';
import { expect, onTestFinished, test } from 'vitest';
import { leaving as leavingOf, publishedPositions } from '../support/consumed-feed.ts';
import { fed, feedOfLog } from '../support/fed.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { settleProject } from '../support/inhabitants.ts';
import { scrape } from '../support/metrics.ts';

/** Nobody listens there. */
const NOWHERE = '127.0.0.1:1';

/** One that feeds `feed`. */
const feeding = (feed: Feed, dataDir?: string, deadlines?: Deadlines) =>
  startForgelog({ environment: { KAFKA_BROKERS: NOWHERE }, openFeed: feedOfLog(feed), dataDir, deadlines });
/** For as long as the test has time. */
const untilFed = async ({ system }: Forgelog) => await fed(system.relay!);

async function lagOf({ url }: Forgelog): Promise<number | undefined> {
  const { samples } = await scrape(url);
  return samples.find(({ name, labels }) => name === 'forgelog_feed_lag_seconds' && labels.feed === 'kafka')
    ?.value;
}

/** What the log holds of what may leave. */
const leaving = async ({ system }: Forgelog) =>
  leavingOf(await system.store.readAll({ after: '', limit: 100_000 }));

test('every event is published in the order of the log, and the lag is then zero', async () => {
  const feed = openMemoryFeed();
  const forgelog = await feeding(feed);
  onTestFinished(() => forgelog.stop());
  const id = await settleProject(forgelog, 'fed');
  const { iid } = (await forgelog.post(`/projects/${id}/issues`, { title: 'One' })).body;
  await forgelog.post(`/projects/${id}/issues/${iid}/notes`, { body: 'Two' });
  await untilFed(forgelog);
  const events = await leaving(forgelog);
  expect(feed.messages.map(({ headers }) => headers.position)).toEqual(
    await publishedPositions(forgelog.system.store, events),
  );
  const sent = feed.messages.map(({ value }) => JSON.parse(value) as CloudEvent);
  expect(sent.map(({ id: eventId }) => eventId)).toEqual(events.map(({ id: eventId }) => eventId));
  const [first] = await forgelog.system.store.readAll({ after: '', limit: 1 });
  const source = `/forgelog/${first!.id}/tracker`;
  expect(sent.at(-1)).toMatchObject({ specversion: '1.0', source, actorid: 1 });
  expect(await lagOf(forgelog)).toBe(0);
});

test('a restart resumes where the last run stopped', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-fed-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const seen: string[] = [];
  for (const title of ['One', 'Two']) {
    const feed = openMemoryFeed();
    const forgelog = await feeding(feed, dataDir);
    await forgelog.post('/projects', { name: title });
    await untilFed(forgelog);
    const events = await leaving(forgelog);
    const positions = await publishedPositions(forgelog.system.store, events);
    await forgelog.stop();
    seen.push(...feed.messages.map(({ headers }) => headers.position));
    expect(seen).toEqual(positions);
  }
});

test('an unreachable broker affects neither start, readiness, requests nor stop, and the lag grows', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const forgelog = await startForgelog({
    environment: { KAFKA_BROKERS: NOWHERE },
    clock: () => new Date(now),
  });
  expect((await fetch(`${forgelog.url}/-/readiness`)).status).toBe(200);
  expect((await forgelog.post('/projects', { name: 'unfed' })).status).toBe(201);
  now += 60_000;
  await expect.poll(() => lagOf(forgelog)).toBe(60);
  now += 60_000;
  expect(await lagOf(forgelog)).toBe(120);
  expect(await forgelog.system.relay!.idle({ timeoutMs: 10 })).toBe(false);
  await forgelog.stop();
});

test('a broker that comes back gets everything, and the lag returns to zero', async () => {
  const feed = openMemoryFeed();
  const failed = Promise.withResolvers<void>();
  let isAway = true;
  const forgelog = await feeding({
    ...feed,
    async publish(events) {
      if (!isAway) return feed.publish(events);
      failed.resolve();
      throw new Error('away');
    },
  });
  onTestFinished(() => forgelog.stop());
  await failed.promise;
  await forgelog.post('/projects', { name: 'later' });
  isAway = false;
  await untilFed(forgelog);
  expect(feed.messages).toHaveLength((await leaving(forgelog)).length);
  expect(await lagOf(forgelog)).toBe(0);
});

test('a broker that never answers does not delay the stop', async () => {
  const asked = Promise.withResolvers<void>();
  const silent: Feed = {
    publish: () => {
      asked.resolve();
      return new Promise(() => {});
    },
    close: () => new Promise(() => {}),
  };
  // The stop waits twice for as long as one of its steps may take.
  const forgelog = await feeding(silent, undefined, { ...DEADLINES, stopMs: 300 });
  await asked.promise;
  await forgelog.stop();
});

test('without brokers nothing is published, and there is no feed metric', async () => {
  const forgelog = await forgelogForTest();
  expect(forgelog.system.relay).toBeUndefined();
  expect(await lagOf(forgelog)).toBeUndefined();
});
