import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { events } from '@forgelog/contracts/events.ts';
import { streamEvents } from '@forgelog/contracts/gateway/event-stream/event-stream.api.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { knownIdentity, readLogIdentity } from '@forgelog/eventing/log-identity.ts';
import { catalogue } from '@forgelog/eventing/testing/sample-domain.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { createMetrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type EventStreamPorts, eventStreamRoutes } from './event-stream.routes.ts';

const NOTE = 'n'.repeat(2000);

/** A log of so many events, and what serves it. */
async function served(count: number, given: Partial<EventStreamPorts> = {}, text = NOTE) {
  const store = openMemoryEventStore();
  const add = async (basket: string, note = text) => {
    await store.append(`basket-${basket}`, 'no-stream', [
      {
        ...{ id: newEventId(), type: 'ItemAdded', schemaVersion: 2, time: new Date(0).toISOString() },
        data: { basket, amount: 1, note },
        metadata: SYSTEM_METADATA,
      },
    ]);
  };
  for (let at = 0; at < count; at++) await add(String(at));
  const metrics = createMetrics();
  const warn = vi.fn();
  const streams = eventStreamRoutes({
    ...{ store, catalogue, directory: {} as Directory, clock: () => new Date(), externalUrl: '' },
    log: { warn } as unknown as EventStreamPorts['log'],
    authorizer: {} as EventStreamPorts['authorizer'],
    instanceKey: () => Buffer.alloc(32),
    identity: knownIdentity(store),
    dropped: metrics.counter({ name: 'forgelog_event_streams_dropped_total', help: 'Dropped.' }).of(),
    renewedAt: async (subscriber) => subscriber,
    ...given,
  });
  async function open(params: object = {}, userId = 1, headers: object = {}): Promise<Readable> {
    const { handle } = streams.routes.find(({ endpoint }) => endpoint === streamEvents)!;
    const caller = { userId, isAdmin: true } as Principal;
    const answer = await handle({ params, headers, caller } as unknown as ApiRequest);
    const stream = new PassThrough();
    onTestFinished(() => void stream.destroy());
    const { begin } = answer as { begin: () => (out: Writable) => Promise<void> };
    void begin()(stream);
    return stream;
  }
  return { ...streams, store, add, open, metrics, warn };
}

/** Reads until `enough` says so. */
async function read(stream: Readable, enough: (text: string) => boolean): Promise<string> {
  let text = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (enough(text)) break;
  }
  return text;
}

test('a heartbeat carries the position, also of what was passed over', async () => {
  const { open, add, store } = await served(2, { heartbeatMs: 30 });
  const stream = await open({ types: ['BasketClosed'] });
  await read(stream, (text) => text.includes('caught_up'));
  await add('passed over');
  const identity = (await readLogIdentity(store))!;
  const position = identity.publish(await store.head());
  const text = await read(stream, (heard) => heard.includes(position));
  expect(text).toContain(`: alive\nid: ${position}\n\n`);
  expect(text).not.toContain('data: {"spec');
});

test('heartbeats come while a filter passes over much, with positions that go on', async () => {
  const { open, store } = await served(4_000, { heartbeatMs: 1 }, '');
  const text = await read(await open({ types: ['BasketClosed'] }), (heard) => heard.includes('caught_up'));
  const [before] = text.split('event: caught_up');
  const heard = [...before!.matchAll(/: alive\nid: (\S+)\n/g)].map(([, id]) => id!);
  expect(heard.length).toBeGreaterThan(1);
  expect(heard.toSorted()).toEqual(heard);
  const identity = (await readLogIdentity(store))!;
  const rest = await read(await open({ after: heard[0]!, types: ['ItemAdded'] }), (told) =>
    told.includes('data:'),
  );
  const [, first] = /^id: (.+)$/m.exec(rest)!;
  expect(first! > heard[0]!).toBe(true);
  expect(identity.read(heard[0]!, store).kind).toBe('held');
});

test('what an older contract leaves out does not hold up the mark, nor the signs of life', async () => {
  const { open, store } = await served(0, { heartbeatMs: 30, catalogue: createCatalogue(events) });
  const add = (projectId: number) =>
    store.append(`integration-${projectId}-jira`, 'no-stream', [
      {
        ...{
          id: newEventId(),
          type: 'IntegrationDeleted',
          schemaVersion: 1,
          time: new Date(0).toISOString(),
        },
        data: { integrationId: projectId, projectId, slug: 'jira' },
        metadata: SYSTEM_METADATA,
      },
    ]);
  await add(1);
  const stream = await open({ contract: '1.1' });
  const begin = await read(stream, (heard) => heard.includes('caught_up'));
  const identity = (await readLogIdentity(store))!;
  expect(begin).toContain(`id: ${identity.publish(await store.head())}\nevent: caught_up`);
  await add(2);
  const position = identity.publish(await store.head());
  const rest = await read(stream, (heard) => heard.includes(position));
  expect(begin + rest).not.toContain('Integration');
});

test('a project is read with a turn for others after each part', async () => {
  let [parts, turns, isReading] = [0, 0, true];
  const count = () => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  const { open, store } = await served(2_000, {}, '');
  store.readProject = ({ after, limit }) => {
    parts += 1;
    return store.readAll({ after, limit });
  };
  setImmediate(count);
  await read(await open({ project_id: 1, types: ['BasketClosed'] }), (heard) => heard.includes('caught_up'));
  isReading = false;
  expect(parts).toBeGreaterThan(7);
  expect(turns).toBeGreaterThanOrEqual(parts - 1);
});

test('a reader has caught up, also where the last part of the log is a full one', async () => {
  const { open } = await served(500, {}, '');
  const text = await read(await open(), (heard) => heard.includes('caught_up'));
  expect(text.match(/^event: ItemAdded$/gm)).toHaveLength(500);
});

test('a stream of a silent log ends when its time has passed, not with the next heartbeat', async () => {
  const { open } = await served(1, { heartbeatMs: 600_000 });
  const until = new Date(Date.now() + 300).toISOString();
  expect(await read(await open({ until }), () => false)).toMatch(/: the stream ends at `until`\n\n$/);
});

test('a reader that takes nothing is dropped with a reason, and does not hide the others', async () => {
  const { open, positions, metrics, warn, store } = await served(300, {
    subscriberLimits: { stallMs: 60 },
    heartbeatMs: 20,
  });
  const stalled = await open({ subscriber: 'stalled' });
  await read(stalled, (text) => text.includes('Forgelog'));
  const quick = await open({ subscriber: 'quick' });
  await read(quick, (text) => text.includes('caught_up'));
  const reading = read(quick, () => false).catch(() => {});
  await expect
    .poll(() =>
      positions()
        .filter(({ isOpen }) => isOpen)
        .map(({ subscriber }) => subscriber),
    )
    .toEqual(['quick']);
  expect(positions().find(({ subscriber }) => subscriber === 'quick')!.position).toBe(await store.head());
  expect(warn).toHaveBeenCalledWith(
    { userId: 1, subscriber: 'stalled' },
    expect.stringContaining('was dropped'),
  );
  expect(await metrics.text()).toContain('forgelog_event_streams_dropped_total 1');
  const rest = await read(stalled, () => false);
  expect(rest).toMatch(/: the stream ends, since nothing of it was read for too long\n\n$/);
  // Nothing was sent beyond what waited, so the reader goes on where it stopped.
  expect(rest.match(/^id: /gm)!.length).toBeLessThan(300);
  quick.destroy();
  await reading;
});

test('a subscriber keeps its name in the metrics for a while, and names are bounded', async () => {
  const { open, positions } = await served(3, { subscriberLimits: { names: 3, keepNameMs: 80 } });
  const names = () => positions().map(({ subscriber, isOpen }) => [subscriber, isOpen]);
  const first = await open({ subscriber: 'first' });
  for (const subscriber of ['a', 'b', 'c']) await open({ subscriber });
  expect(names()).toEqual([
    ['first', true],
    ['a', true],
    ['b', true],
    [undefined, true],
  ]);
  first.destroy();
  await expect.poll(names).toEqual([
    ['a', true],
    ['b', true],
    [undefined, true],
    ['first', false],
  ]);
  const again = await open({ subscriber: 'first' });
  expect(names().at(-1)).toEqual(['first', true]);
  again.destroy();
  await expect.poll(() => names().at(-1)).toEqual(['first', false]);
  await sleep(100);
  expect(names()).not.toContainEqual(['first', false]);
});

test('too many streams are refused, of one user and of all, until one ends', async () => {
  const { open, positions } = await served(1, { subscriberLimits: { streams: 3, streamsOfUser: 2 } });
  const [one] = [await open(), await open()];
  const refusal = { code: 'too_many_requests', headers: { 'Retry-After': '60' } };
  await expect(open()).rejects.toMatchObject(refusal);
  await open({}, 2);
  await expect(open({}, 2)).rejects.toMatchObject(refusal);
  one!.destroy();
  await expect.poll(() => positions().length).toBe(2);
  await open({}, 2);
});

test('a stream that ends while nothing happens ends at once', async () => {
  let mayRead = true;
  const { open, positions } = await served(1, {
    heartbeatMs: 20,
    renewedAt: async (subscriber) => (mayRead ? subscriber : undefined),
  });
  const stream = await open();
  await read(stream, (text) => text.includes('caught_up'));
  mayRead = false;
  expect(await read(stream, () => false)).toMatch(/may no longer read it\n\n$/);
  expect(positions()).toEqual([]);
});

test('a log that fails breaks the stream off, and nothing else', async () => {
  const { open, store } = await served(1);
  // biome-ignore lint/correctness/useYield: it fails before it has anything.
  store.subscribe = async function* () {
    throw new Error('the log is away');
  };
  // The failure comes while the stream waits for something else.
  store.head = () => sleep(20, '');
  const stream = await open();
  await expect(read(stream, () => false)).rejects.toThrow('the log is away');
});

test('a page is refused where the right to read ends while it is read', async () => {
  const { open } = await served(1, { renewedAt: async () => undefined });
  const page = open({}, 1, { accept: 'application/x-ndjson' });
  await expect(page).rejects.toMatchObject({ code: 'forbidden' });
});

test.each(['gzip', 'zstd'])('a stream in %s that nobody reads leaves its seat', async (coding) => {
  const { open, positions } = await served(1);
  const stream = await open({}, 1, { 'accept-encoding': coding });
  expect(positions()).toHaveLength(1);
  stream.destroy();
  await expect.poll(positions).toEqual([]);
});
