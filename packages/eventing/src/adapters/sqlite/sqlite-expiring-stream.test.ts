import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { CorruptLogError } from '../../event-store.ts';
import { someEvent } from '../../testing/event-store.contract.ts';
import { describeExpiringStream } from '../../testing/expiring-stream.contract.ts';
import { openSqliteExpiringStream } from './sqlite-expiring-stream.ts';

const folder = mkdtempSync(join(tmpdir(), 'expiring-'));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const EPOCH = () => new Date(0);
const open = (path: string, clock = EPOCH) =>
  openSqliteExpiringStream({ path, name: 'thing', keepDays: 2, clock });

describeExpiringStream('sqlite', async () => {
  const path = newPath();
  const stream = open(path);
  return {
    stream,
    async again() {
      await stream.close();
      return open(path);
    },
  };
});

const DAY = 86_400_000;
const at = (days: number) => ({ ...someEvent({ days }), time: new Date(days * DAY).toISOString() });

test('what is too old is never read, and leaves the file; its revisions are not used again', async () => {
  let days = 0;
  const path = newPath();
  const stream = open(path, () => new Date(days * DAY));
  const rows = () => {
    const db = new DatabaseSync(path, { readOnly: true });
    const found = db.prepare('SELECT number FROM events').all();
    db.close();
    return found.length;
  };
  for (; days < 4; days++) await stream.append([at(days)]);
  days = 3.5;
  expect((await stream.read({ after: -1, limit: 10 })).map(({ data }) => data)).toEqual([
    { days: 2 },
    { days: 3 },
  ]);
  expect(rows()).toBe(3);
  days = 9;
  expect(await stream.read({ after: -1, limit: 10 })).toEqual([]);
  expect(await stream.last()).toBe(3);
  await stream.append([at(9)]);
  expect(rows()).toBe(1);
  expect((await stream.read({ after: 1, limit: 10 })).map(({ revision }) => revision)).toEqual([4]);
  await stream.close();
});

test('an append that is repeated stores nothing twice', async () => {
  const stream = open(newPath());
  const event = someEvent();
  await stream.append([event]);
  await stream.append([event, someEvent()]);
  expect(await stream.last()).toBe(1);
  await stream.close();
});

test('a file that is no database is refused with what to do', () => {
  const path = newPath();
  writeFileSync(path, 'no database'.repeat(1000));
  expect(() => open(path)).toThrow(CorruptLogError);
  expect(() => open(path)).toThrow(`${path} is damaged`);
  expect(() => open(path)).toThrow('Move it away');
});
