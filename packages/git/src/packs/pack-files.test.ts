import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isWithin } from './pack-files.ts';

vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>();
  return { ...timers, setImmediate: vi.fn(timers.setImmediate) };
});

/** An index of version 2 of objects whose ids are these numbers, ascending. */
function index(ids: readonly number[]): Buffer {
  const head = Buffer.alloc(8 + 256 * 4);
  head.writeUInt32BE(0xff744f63, 0);
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(ids.length, 8 + 255 * 4);
  const table = Buffer.alloc(ids.length * 20);
  for (const [at, id] of ids.entries()) table.writeUInt32BE(id, at * 20);
  return Buffer.concat([head, table]);
}

test('lets others have their turn while a small pack is compared with a large one', async () => {
  const objects = mkdtempSync(join(tmpdir(), 'pack-files-'));
  onTestFinished(() => rmSync(objects, { recursive: true }));
  mkdirSync(join(objects, 'pack'));
  const many = Array.from({ length: 100_000 }, (_, id) => id);
  writeFileSync(join(objects, 'pack/large.idx'), index(many));
  writeFileSync(join(objects, 'pack/small.idx'), index([3, 99_999]));
  expect(await isWithin(objects, 'small', 'large')).toBe(true);
  expect(vi.mocked(setImmediate).mock.calls.length).toBeGreaterThanOrEqual(9);
});
