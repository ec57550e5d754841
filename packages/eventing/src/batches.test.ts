import { expect, test } from 'vitest';
import { openMemoryReadStore } from './adapters/memory/memory-read-store.ts';
import { inBatches } from './batches.ts';
import { eq } from './query.ts';
import { defineCollection } from './read-store.ts';
import { put } from './testing/read-store-changes.ts';

const items = defineCollection({
  name: 'items',
  key: 'id',
  fields: { id: 'integer', kind: 'text' },
  indexes: [['kind']],
});

test.each([
  [0, []],
  [1, [[1]]],
  [
    4,
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [5, [[1, 2], [3, 4], [5]]],
])('%i documents come in batches in the order of their keys, each once', async (count, expected) => {
  const store = openMemoryReadStore();
  await store.declare([items]);
  const document = (id: number, kind: string) => put(items, { id, kind });
  const wanted = Array.from({ length: count }, (_, at) => document(count - at, 'wanted'));
  await store.write({ changes: [...wanted, document(9, 'other')], checkpoints: new Map() });
  const seen: number[][] = [];
  for await (const batch of inBatches(store, items, { where: eq('kind', 'wanted'), size: 2, select: ['id'] }))
    seen.push(batch.map(({ id }) => id));
  expect(seen).toEqual(expected);
});
