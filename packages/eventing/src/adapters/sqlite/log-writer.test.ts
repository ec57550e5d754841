import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { type Append, LogWriter } from './log-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'log-writer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.restoreAllMocks();
});

const append = (request: number, stream = `thing-${request}`): Append => ({
  request,
  stream,
  expected: 'no-stream',
  events: [{ id: `id-${request}`, type: 'T', schemaVersion: 1, time: '', data: '{}', metadata: '{}' }],
});

/** Fails the next COMMIT after or before it takes effect. */
function failNextCommit(tookEffect: boolean): void {
  const exec = DatabaseSync.prototype.exec;
  let failed = false;
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (sql !== 'COMMIT' || failed) return exec.call(this, sql);
    failed = true;
    if (tookEffect) exec.call(this, sql);
    throw new Error('disk I/O error');
  });
}

test.each([
  ['is answered as stored where the file has it', true, ['repeated', 'stored', 'stored'], 3],
  ['is unavailable where the file has it not', false, ['repeated', 'unavailable', 'unavailable'], 1],
])('a group whose commit failed %s', (_, tookEffect, outcomes, head) => {
  const writer = new LogWriter({ path: join(folder, `${head}.db`), synchronous: 'FULL' });
  const [first] = writer.write([append(1)]);
  expect(first).toEqual({ request: 1, outcome: 'stored', firstPosition: 1, firstRevision: 0 });
  failNextCommit(tookEffect);
  const group = [append(1), append(2), append(3)];
  expect(writer.write(group).map(({ outcome }) => outcome)).toEqual(outcomes);
  expect(writer.head).toBe(head);

  // Every retry returns the same positions.
  expect(writer.write(group).map((answer) => 'firstPosition' in answer && answer.firstPosition)).toEqual([
    1, 2, 3,
  ]);
  expect(writer.write([append(4)])).toMatchObject([{ outcome: 'stored', firstPosition: 4 }]);
  writer.close();
});
