import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openMemoryReadStore } from '../adapters/memory/memory-read-store.ts';
import { fullSort } from '../collection-checks.ts';
import type { Condition, SortKey } from '../query.ts';
import type { ReadStore } from '../read-store.ts';
import { put, remove, writeAll } from './read-store-changes.ts';
import { someCondition, someSort, someThings, type Thing, things } from './sample-collections.ts';

interface RandomQuery {
  where?: Condition;
  sort: SortKey[];
  limit: number;
  select: (keyof Thing)[];
}

const FIELDS = Object.keys(things.fields) as (keyof Thing)[];

/** Compares the store with the memory model, for random documents and queries. */
export function describeAgainstModel(open: () => Promise<ReadStore>, numRuns: number): void {
  describe('compared with the model', () => {
    const model = openMemoryReadStore();
    let under: ReadStore;
    beforeAll(async () => {
      under = await open();
      await model.declare([things]);
    });

    test('answers random queries on random documents like the model', { timeout: 120_000 }, async () => {
      let position = 0;
      const query = fc.record({
        where: fc.option(someCondition, { nil: undefined, freq: 8 }),
        sort: someSort,
        limit: fc.integer({ min: 0, max: 8 }),
        select: fc.subarray(FIELDS, { minLength: 1 }),
      });
      await fc.assert(
        fc.asyncProperty(
          someThings,
          fc.array(query, { minLength: 1, maxLength: 8 }),
          async (documents, queries) => {
            position++;
            const changes = documents.map((document) =>
              put(things, document, String(position).padStart(9, '0')),
            );
            for (const store of [model, under]) {
              await store.reset([things], []);
              await writeAll(store, changes);
              // Deleted documents must not show up, even if the store keeps tombstones.
              const gone = documents.filter((_, index) => index % 5 === 4);
              await writeAll(
                store,
                gone.map(({ id }) => remove(things, id, String(position + 1).padStart(9, '0'))),
              );
            }
            for (const each of queries) await compare(each);
          },
        ),
        { numRuns },
      );
    });

    /** Compares the whole list, pages by offset in both directions, pages by keyset, and counts. */
    async function compare({ select, ...query }: RandomQuery): Promise<void> {
      const all = await model.find(things, { ...query, limit: 1000 });
      expect(await under.find(things, { ...query, limit: 1000 })).toEqual(all);
      for (const atMost of [1, 5, 100])
        expect(await under.count(things, { where: query.where, atMost })).toBe(Math.min(atMost, all.length));
      const some = { ...query, select, offset: 1 };
      expect(await under.find(things, some)).toEqual(await model.find(things, some));
      await pages(query, all);
    }

    async function pages(query: Omit<RandomQuery, 'select'>, all: Thing[]): Promise<void> {
      const { limit } = query;
      const offsets = Array.from({ length: 5 }, (_, index) => index * limit);
      for (const offset of [...offsets, ...offsets.toReversed(), 3])
        expect(await under.find(things, { ...query, offset })).toEqual(all.slice(offset, offset + limit));
      const sort = fullSort(things, query.sort);
      for (const [index, document] of all.entries()) {
        const after = sort.map(({ field }) => document[field as 'id']);
        expect(await under.find(things, { ...query, after })).toEqual(
          all.slice(index + 1, index + 1 + limit),
        );
        expect(await under.find(things, { ...query, after, offset: 2 })).toEqual(
          all.slice(index + 3, index + 3 + limit),
        );
      }
    }
  });
}
