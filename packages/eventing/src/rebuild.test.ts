import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openMemoryReadStore } from './adapters/memory/memory-read-store.ts';
import { openSqliteReadStore } from './adapters/sqlite/sqlite-read-store.ts';
import { SYSTEM_METADATA } from './event.ts';
import type { ReadStore } from './read-store.ts';
import { dump, dumpHash, rebuildReadModels } from './rebuild.ts';
import { put, writeAll } from './testing/read-store-changes.ts';
import {
  addItem,
  basketDecider,
  baskets,
  catalogue,
  closeBasket,
  startSystem,
} from './testing/sample-domain.ts';

const none = SYSTEM_METADATA;
const folder = mkdtempSync(join(tmpdir(), 'rebuild-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['memory', async () => openMemoryReadStore()],
  ['sqlite', () => openSqliteReadStore({ path: join(folder, 'models.db') })],
])('read models in %s', (_, open: () => Promise<ReadStore>) => {
  test('are the same after a rebuild, and policies keep their checkpoints', async () => {
    const reactions: string[] = [];
    const policy = {
      name: 'mail',
      handles: ['ItemAdded'],
      actsAs: {},
      react: async (event: { id: string }) => void reactions.push(event.id),
    };
    const readStore = await open();
    const system = await startSystem({ readStore, policies: [policy] });
    const { handler, store, projections, projectors } = system;
    for (let i = 0; i < 100; i++)
      await handler.handle(basketDecider, `basket-${i % 9}`, addItem(`${i % 9}`, (i * 37) % 11), none);
    await handler.handle(basketDecider, 'basket-3', closeBasket('3'), none);
    await projectors.policiesIdle();
    await projectors.stop();
    const live = await dump(readStore, [baskets]);
    const hash = await dumpHash(readStore, [baskets]);

    // A stray document proves that the store was replaced.
    await writeAll(readStore, [
      put(baskets, { id: 'stray', total: 1, items: 1, rank: 0, amounts: [1] }, '9'),
    ]);
    const { events } = await rebuildReadModels({
      store,
      readStore,
      catalogue,
      projections,
      policies: ['mail'],
      batchSize: 7,
    });
    expect(events).toBe(101);
    expect(await dump(readStore, [baskets])).toBe(live);
    expect(await dumpHash(readStore, [baskets])).toBe(hash);

    const again = await startSystem({ store, readStore, policies: [policy] });
    await again.handler.handle(basketDecider, 'basket-1', addItem('1'), none);
    await again.projectors.policiesIdle();
    expect(reactions).toHaveLength(101);
    expect(new Set(reactions).size).toBe(101);
    await again.projectors.stop();
    await readStore.close();
  });
});

test('a failed rebuild leaves the live models unchanged', async () => {
  const system = await startSystem();
  await system.handler.handle(basketDecider, 'basket-1', addItem('1'), none);
  await system.projectors.stop();
  const before = await dump(system.readStore, [baskets]);
  const [projection] = system.projections;
  const failing = [{ ...projection!, project: () => Promise.reject(new Error('defect')) }];
  await expect(rebuildReadModels({ ...system, catalogue, projections: failing })).rejects.toThrow(
    /projection baskets cannot apply the event at/,
  );
  expect(await dump(system.readStore, [baskets])).toBe(before);
});
