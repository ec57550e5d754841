import { createHook } from 'node:async_hooks';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isWithin } from './pack-files.ts';

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
  let turns = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'Immediate') turns += 1;
    },
  }).enable();
  onTestFinished(() => void hook.disable());
  expect(await isWithin(objects, 'small', 'large')).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(9);
});
