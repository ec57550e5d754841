import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { BEGINNING } from '../../event.ts';
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

/** A process that appends with many hands and prints what was acknowledged, until it is killed. */
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
  test('holds every acknowledged append after its process was killed, and is free for the next', async () => {
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
      // An append of several events is there as a whole or not at all.
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

  test('shows a damaged row when it is read, with its position', async () => {
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
  ])('is refused after an unclean stop with %s', async (_, damage, message) => {
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

  test('that is not a log is refused', async () => {
    const path = newPath();
    writeFileSync(path, 'x'.repeat(10_000));
    await expect(openSqliteEventStore({ path })).rejects.toThrow(CorruptLogError);
  });

  test('refuses what does not fit, whole, and goes on where there is room again', async () => {
    const path = newPath();
    let store = await openSqliteEventStore({ path, maxPages: 40 });
    const big = () => someEvent('x'.repeat(20_000));
    let stored = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, i) => store.append(`thing-${i}`, 'no-stream', [big(), big()])),
    );
    for (let i = 0; i < 30; i++) {
      const result = await store.append(`other-${i}`, 'no-stream', [big(), big()]).catch((error) => error);
      if (result instanceof EventStoreUnavailableError) break;
      stored++;
    }
    stored += results.filter((result) => result.status === 'fulfilled').length;
    expect(stored).toBeLessThan(30);
    const small = await store.append('small-1', 'no-stream', [someEvent()]).catch((error) => error);
    if (!(small instanceof Error)) stored += 0.5;
    expect(await store.readAll({ after: BEGINNING, limit: 1000 })).toHaveLength(stored * 2);
    await store.close();
    store = await openSqliteEventStore({ path });
    await store.append('thing-100', 'no-stream', [big()]);
    expect(await store.readAll({ after: BEGINNING, limit: 1000 })).toHaveLength(stored * 2 + 1);
    await store.close();
  });
});

function tamper(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}
