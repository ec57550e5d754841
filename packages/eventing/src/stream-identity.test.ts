import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EpochBegun } from '@forgelog/contracts/shared/epoch.events.ts';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openEventStoreDbExpiringStream } from './adapters/eventstoredb/eventstoredb-expiring-stream.ts';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { openSqliteExpiringStream } from './adapters/sqlite/sqlite-expiring-stream.ts';
import { BEGINNING } from './event.ts';
import { createCatalogue } from './event-catalogue.ts';
import { type ExpiringStream, followedLog } from './expiring-stream.ts';
import { beginEpoch, knownIdentity, type LogIdentity } from './log-identity.ts';
import { identityBeside } from './stream-identity.ts';
import { someEvent } from './testing/event-store.contract.ts';
import { eventStoreDbServers } from './testing/eventstoredb-servers.ts';

const servers = eventStoreDbServers();
const folder = mkdtempSync(join(tmpdir(), 'beside-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await servers.stop();
});

const catalogue = createCatalogue([EpochBegun]);
let second = 1_800_000_000;
const clock = () => new Date(++second * 1000);
let files = 0;
const newPath = () => join(folder, `${++files}.db`);
const some = (count: number) => Array.from({ length: count }, () => someEvent());

function opened(path: string): ExpiringStream {
  const stream = openSqliteExpiringStream({ path, name: 'thing', keepDays: 2, clock: () => new Date(0) });
  onTestFinished(() => stream.close());
  return stream;
}

async function someLog() {
  const store = openMemoryEventStore();
  await store.append('thing-1', 'no-stream', some(1));
  return store;
}

const positions = async (stream: ExpiringStream) =>
  (await followedLog(stream).readAll({ after: BEGINNING, limit: 100 })).map(({ position }) => position);

async function published(stream: ExpiringStream, identity: LogIdentity): Promise<string[]> {
  return (await positions(stream)).map((position) => identity.publish(position));
}

test('a stream that begins anew takes no position of the one before for its own', async () => {
  const log = knownIdentity(await someLog());
  const before = opened(newPath());
  const known = await identityBeside(log, before, clock).current();
  await before.append(some(3));
  const after = opened(newPath());
  const identity = await identityBeside(log, after, clock).current();
  await after.append(some(5));
  const readable = followedLog(after);
  for (const position of await published(before, known))
    expect(identity.read(position, readable)).toEqual({ kind: 'lost', common: BEGINNING });
  const now = await published(after, identity);
  expect(now.map((position) => identity.read(position, readable).kind)).toEqual(Array(5).fill('held'));
  expect(now[0]! > (await published(before, known)).at(-1)!).toBe(true);
});

test('where the log was restored, what the stream lost is told from what it kept', async () => {
  const store = await someLog();
  const path = newPath();
  const stream = opened(path);
  const known = await identityBeside(knownIdentity(store), stream, clock).current();
  await stream.append(some(2));
  await stream.close();
  const copy = newPath();
  copyFileSync(path, copy);
  const whole = opened(path);
  await whole.append(some(3));
  const before = await published(whole, known);

  await beginEpoch({ store, catalogue, clock });
  const restored = opened(copy);
  const identity = await identityBeside(knownIdentity(store), restored, clock).current();
  await restored.append(some(9));
  const raw = await positions(restored);
  const readable = followedLog(restored);
  expect(before.map((position) => identity.read(position, readable))).toEqual([
    { kind: 'held', position: raw[0] },
    { kind: 'held', position: raw[1] },
    ...Array(3).fill({ kind: 'lost', common: raw[1] }),
  ]);
  // Another start of the same epoch begins nothing.
  const again = await identityBeside(knownIdentity(store), restored, clock).current();
  expect(again.epoch).toBe(identity.epoch);
});

test('a stream from before there were epochs goes on in the first one', async () => {
  const stream = opened(newPath());
  await stream.append(some(2));
  const identity = await identityBeside(knownIdentity(await someLog()), stream, clock).current();
  const [first] = await positions(stream);
  expect(identity.publish(first!)).toMatch(/^p[0-9a-f]{8}-0000000-a/);
  expect(identity.read(first!, followedLog(stream)).kind).toBe('held');
});

test('an epoch is begun once, whichever process is first', async () => {
  const server = await servers.start();
  const log = knownIdentity(await someLog());
  const open = () => openEventStoreDbExpiringStream({ url: server.url, name: 'thing', keepDays: 2 });
  const streams = [open(), open(), open()];
  const identities = await Promise.all(streams.map((stream) => identityBeside(log, stream, clock).current()));
  expect(new Set(identities.map(({ epoch }) => epoch)).size).toBe(1);
  expect(await streams[0]!.epochs()).toHaveLength(1);
  await Promise.all(streams.map((stream) => stream.close()));
});
