import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { BEGINNING } from '../../event.ts';
import { newEventId } from '../../event-id.ts';
import { CorruptLogError, EventStoreUnavailableError } from '../../event-store.ts';
import { describeEventStore, someEvent } from '../../testing/event-store.contract.ts';
import { AlreadyOpenError } from './exclusive-lock.ts';
import { openSqliteEventStore } from './sqlite-event-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'events-'));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeEventStore('sqlite', async () => {
  const path = newPath();
  const store = await openSqliteEventStore({ path });
  return {
    store,
    async reopen() {
      await store.close();
      return openSqliteEventStore({ path });
    },
  };
});

function startAppender(path: string): { child: ChildProcess; acknowledged: string[]; ready: Promise<void> } {
  const program = new URL('../../testing/appender.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: string[] = [];
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).on('line', (line) => {
      acknowledged.push(line);
      if (acknowledged.length === 300) resolve();
    });
  });
  return { child, acknowledged, ready };
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('close', resolve));

describe('the log file', () => {
  test('holds every acknowledged append after a kill, and releases its lock', async () => {
    const path = newPath();
    for (let round = 0; round < 2; round++) {
      const { child, acknowledged, ready } = startAppender(path);
      await ready;
      const end = ended(child);
      await expect(openSqliteEventStore({ path })).rejects.toThrow(AlreadyOpenError);
      child.kill('SIGKILL');
      await end;
      const store = await openSqliteEventStore({ path });
      const held = await store.readAll({ after: BEGINNING, limit: 1_000_000 });
      const ids = new Set(held.map((event) => event.id));
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      // An append of several events is atomic.
      const perStream = Map.groupBy(held, (event) => event.stream);
      for (const events of perStream.values()) expect(events).toHaveLength(3);
      await store.close();
    }
  });

  test('is opened by one process at a time', async () => {
    const path = newPath();
    const store = await openSqliteEventStore({ path });
    await expect(openSqliteEventStore({ path })).rejects.toThrow(/already open for writing \(process \d+\)/);
    await store.close();
    await (await openSqliteEventStore({ path })).close();
  });

  test('reports a damaged row with its position when it is read', async () => {
    const path = newPath();
    const store = await openSqliteEventStore({ path });
    for (let i = 0; i < 3; i++) await store.append(`thing-${i}`, 'no-stream', [someEvent({ i })]);
    await store.close();
    tamper(path, `UPDATE events SET data = '{"i":7}' WHERE position = 2`);
    const again = await openSqliteEventStore({ path });
    await expect(again.readAll({ after: BEGINNING, limit: 10 })).rejects.toThrow(CorruptLogError);
    await expect(again.readStream('thing-1')).rejects.toThrow(/position 2 \(thing-1\/0\)/);
    expect(await again.readStream('thing-2')).toHaveLength(1);
    await again.close();
  });

  test.each([
    ['a missing event', 'DELETE FROM events WHERE position = 2', /3|2 events/],
    [
      'a gap in a stream',
      'UPDATE events SET revision = 5 WHERE position = 3',
      /misses revisions of stream thing-1/,
    ],
  ])('is rejected after an unclean stop with %s', async (_, damage, message) => {
    const path = newPath();
    const store = await openSqliteEventStore({ path });
    await store.append('thing-1', 'no-stream', [someEvent(), someEvent(), someEvent()]);
    await store.close();
    tamper(path, damage);
    writeFileSync(`${path}.open`, '1\n\n');
    const opening = openSqliteEventStore({ path });
    await expect(opening).rejects.toThrow(CorruptLogError);
    await expect(opening).rejects.toThrow(message);
  });

  test('that is not a log is rejected', async () => {
    const path = newPath();
    writeFileSync(path, 'x'.repeat(10_000));
    await expect(openSqliteEventStore({ path })).rejects.toThrow(CorruptLogError);
  });

  test('rejects an append that does not fit as a whole, and continues once there is space', async () => {
    const path = newPath();
    const full = await openSqliteEventStore({ path, maxPages: 60 });
    const outcomes: PromiseSettledResult<unknown>[] = [];
    for (let round = 0; round < 12; round++) {
      const big = () => [someEvent('x'.repeat(9_000)), someEvent('x'.repeat(9_000))];
      const streams = Array.from({ length: 3 }, (_, index) => `thing-${round}x${index}`);
      outcomes.push(
        ...(await Promise.allSettled(streams.map((stream) => full.append(stream, 'no-stream', big())))),
      );
    }
    const stored = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(stored).toBeGreaterThan(0);
    for (const outcome of outcomes.slice(stored))
      expect(outcome).toMatchObject({ reason: expect.any(EventStoreUnavailableError) });
    const held = await full.readAll({ after: BEGINNING, limit: 1000 });
    expect(held).toHaveLength(2 * stored);
    await full.close();

    const roomy = await openSqliteEventStore({ path });
    await roomy.append('thing-last', 'no-stream', [someEvent()]);
    expect(await roomy.readAll({ after: BEGINNING, limit: 1000 })).toHaveLength(2 * stored + 1);
    await roomy.close();
  });

  test('serves a lagging subscriber from disk', async () => {
    const store = await openSqliteEventStore({ path: newPath(), synchronous: 'OFF' });
    const ending = new AbortController();
    const seen: string[] = [];
    for (let round = 0; round < 2; round++) {
      const events = Array.from({ length: 5000 }, () => someEvent());
      await Promise.all(events.map((event) => store.append(`thing-${event.id}`, 'no-stream', [event])));
    }
    for await (const batch of store.subscribe({ after: BEGINNING, maxBatch: 300, signal: ending.signal })) {
      seen.push(...batch.map(({ position }) => position));
      if (seen.length < 11_000 && seen.length % 900 === 0)
        await Promise.all(
          Array.from({ length: 100 }, () =>
            store.append(`thing-${newEventId()}`, 'no-stream', [someEvent()]),
          ),
        );
      if (seen.at(-1) === (await store.head())) break;
    }
    expect(seen).toEqual(seen.map((_, index) => String(index + 1).padStart(16, '0')));
    await store.close();
  });
});

function tamper(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}
