import { afterAll, expect, test } from 'vitest';
import { BEGINNING } from '../../event.ts';
import { someEvent } from '../../testing/event-store.contract.ts';
import { eventStoreDbServers } from '../../testing/eventstoredb-servers.ts';
import { describeExpiringStream } from '../../testing/expiring-stream.contract.ts';
import { openEventStoreDbExpiringStream } from './eventstoredb-expiring-stream.ts';

const servers = eventStoreDbServers();
afterAll(() => servers.stop());

const open = ({ url }: { url: string }) =>
  openEventStoreDbExpiringStream({ url, name: 'thing', keepDays: 2 });

describeExpiringStream('eventstoredb on the development server', async () => {
  const server = await servers.start();
  return { stream: open(server), again: async () => open(server) };
});

test('it is beside the log: neither its events, its end nor its followers have it', async () => {
  const server = await servers.start();
  const store = servers.open(server);
  const stream = open(server);
  const first = await store.append('thing-1', 'no-stream', [someEvent('first')]);
  await stream.append([someEvent('beside'), someEvent('beside')]);
  expect(await store.head()).toBe(first.position);
  const second = await store.append('thing-2', 'no-stream', [someEvent('second')]);
  await stream.append([someEvent('beside')]);
  expect(await store.head()).toBe(second.position);
  const all = await store.readAll({ after: BEGINNING, limit: 10 });
  expect(all.map(({ data }) => data)).toEqual(['first', 'second']);
  const stop = new AbortController();
  const followed: unknown[] = [];
  for await (const batch of store.subscribe({ after: BEGINNING, signal: stop.signal })) {
    followed.push(...batch.map(({ data }) => data));
    if (followed.length >= 2) stop.abort();
  }
  expect(followed).toEqual(['first', 'second']);
  await stream.close();
});

test('several processes append at once, and the server is told the age', async () => {
  const server = await servers.start();
  const [one, other] = [open(server), open(server)];
  const events = Array.from({ length: 20 }, (_, at) => someEvent(at));
  await Promise.all(events.map((event, at) => (at % 2 === 0 ? one : other).append([event])));
  const read = await one.read({ after: -1, limit: 100 });
  expect(read.map(({ revision }) => revision)).toEqual(events.map((_, at) => at));
  expect(new Set(read.map(({ id }) => id)).size).toBe(20);
  const client = servers.client(server);
  expect(await client.getStreamMetadata('~thing')).toMatchObject({ metadata: { maxAge: 172_800 } });
  await Promise.all([one.close(), other.close()]);
});
