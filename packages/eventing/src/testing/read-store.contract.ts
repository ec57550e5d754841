import { afterAll, describe, expect, test } from 'vitest';
import { BEGINNING } from '../event.ts';
import {
  and,
  asc,
  type Condition,
  desc,
  eq,
  has,
  hasAny,
  holdsWords,
  includes,
  isEmpty,
  not,
  oneOf,
  or,
  range,
} from '../query.ts';
import { type Change, defineCollection, type ReadStore, UniqueViolationError } from '../read-store.ts';
import { wordsOf } from '../words.ts';
import { put, remove, writeAll } from './read-store-changes.ts';
import { describeAgainstModel } from './read-store-model.ts';
import { type Name, names, type Thing, things } from './sample-collections.ts';

export interface ReadStoreUnderTest {
  store: ReadStore;
  /** Closes and reopens the store; absent if documents do not outlive it. */
  reopen?: () => Promise<ReadStore>;
}

const thing = (id: number, fields: Partial<Thing> = {}): Thing => ({
  id,
  group: 1,
  weight: null,
  title: `thing ${id}`,
  note: null,
  open: true,
  createdAt: `2024-01-${String(id).padStart(2, '0')}`,
  owners: [],
  labels: [],
  rank: null,
  loose: null,
  body: { id },
  ...fields,
});
const name = (path: string, owner: number | null, slug: string | null): Name => ({
  path,
  owner,
  slug,
  tags: [path],
});

/** @param modelRuns random document sets to compare with the model; fewer across a network */
export function describeReadStore(
  title: string,
  open: () => Promise<ReadStoreUnderTest>,
  { modelRuns = 300 } = {},
): void {
  describe(`read store: ${title}`, () => {
    const opened: ReadStore[] = [];
    afterAll(async () => {
      for (const store of opened) await store.close();
    });
    async function fresh(changes: Change[] = []): Promise<ReadStoreUnderTest> {
      const under = await open();
      opened.push(under.store);
      const { reset } = await under.store.declare([things, names]);
      expect(reset).toEqual(['some_things', 'names']);
      await under.store.reset([things, names], []);
      await writeAll(under.store, changes);
      return under;
    }

    test('returns documents of every type as they were put', async () => {
      const full = thing(1, { weight: 1.5, owners: [3, 1, 3], labels: ['ä', ''], body: { a: [null, 1] } });
      const empty: Thing = Object.fromEntries(Object.keys(full).map((field) => [field, null])) as never;
      const { store } = await fresh([
        put(things, full),
        put(things, { ...empty, id: 2 }),
        put(things, { id: 3 }),
      ]);
      expect(await store.get(things, 1)).toEqual(full);
      expect(await store.get(things, 2)).toEqual({ ...empty, id: 2 });
      expect(await store.get(things, 3)).toEqual({ ...empty, id: 3 });
      expect(await store.get(things, 4)).toBeUndefined();
      const some = ['labels', 'open', 'body', 'id'] as const;
      const { labels, open: isOpen, body, id } = full;
      expect(await store.getFields(things, 1, some)).toEqual({ labels, open: isOpen, body, id });
      expect(await store.getFields(things, 2, some)).toEqual({ labels: null, open: null, body: null, id: 2 });
      expect(await store.getFields(things, 4, some)).toBeUndefined();
      // The same list again, and another list with equal content.
      expect(await store.getFields(things, 3, some)).toEqual({ labels: null, open: null, body: null, id: 3 });
      expect(await store.getFields(things, 3, [...some].reverse())).toEqual(
        await store.getFields(things, 3, some),
      );
      expect(await store.getFields(things, 1, ['title'])).toEqual({ title: 'thing 1' });
      expect(await store.entry(things, 1)).toEqual({ document: full, position: '1' });
      expect(await store.find(things, { where: eq('id', 1), select: ['open', 'body'], limit: 1 })).toEqual([
        { open: true, body: { a: [null, 1] } },
      ]);
    });

    test('returns copies', async () => {
      const { store } = await fresh([put(things, thing(1, { labels: ['a'] }))]);
      const first = (await store.get(things, 1)) as Thing;
      (first.labels as string[]).push('b');
      (first.body as { id: number }).id = 7;
      expect(await store.get(things, 1)).toEqual(thing(1, { labels: ['a'] }));
    });

    test('applies a change only if the stored document is older', async () => {
      const { store } = await fresh([put(things, thing(1, { title: 'five', labels: ['x'] }), '5')]);
      await writeAll(store, [
        put(things, thing(1, { title: 'four', labels: [] }), '4'),
        remove(things, 1, '4'),
      ]);
      expect(await store.get(things, 1)).toMatchObject({ title: 'five' });
      expect(await store.count(things, { where: has('labels', 'x'), atMost: 9 })).toBe(1);
      await writeAll(store, [remove(things, 1, '6')]);
      expect(await store.get(things, 1)).toBeUndefined();
      expect(await store.count(things, { where: has('labels', 'x'), atMost: 9 })).toBe(0);
    });

    test('writes changes and checkpoints atomically', async () => {
      const { store } = await fresh([put(names, name('a', 1, 'one'))]);
      expect(await store.checkpoint('some')).toBe(BEGINNING);
      const failing = store.write({
        changes: [put(things, thing(1)), put(names, name('b', 1, 'one'), '2')],
        checkpoints: new Map([['some', '2']]),
      });
      await expect(failing).rejects.toThrow(UniqueViolationError);
      expect(await store.get(things, 1)).toBeUndefined();
      expect(await store.checkpoint('some')).toBe(BEGINNING);
      await store.write({ changes: [], checkpoints: new Map([['some', '2']]) });
      expect(await store.checkpoint('some')).toBe('2');
    });

    test('lets documents pass unique values on within one write', async () => {
      const { store } = await fresh([put(names, name('a', 1, 'one')), put(names, name('b', 1, 'two'))]);
      await writeAll(store, [put(names, name('a', 1, 'two'), '2'), put(names, name('b', 1, 'one'), '2')]);
      await writeAll(store, [put(names, name('c', 1, 'one'), '3'), remove(names, 'b', '3')]);
      expect(await store.find(names, { where: eq('owner', 1), limit: 9 })).toEqual([
        name('a', 1, 'two'),
        name('c', 1, 'one'),
      ]);
      // Null never conflicts.
      await writeAll(store, [
        put(names, name('d', null, 'one'), '4'),
        put(names, name('e', null, 'one'), '4'),
      ]);
      expect(await store.count(names, { atMost: 9 })).toBe(4);
    });

    test('rejects what is not declared', async () => {
      const { store } = await fresh();
      const refused = [
        store.find(things, { where: eq('nothing', 1), limit: 1 }),
        store.find(things, { where: eq('id', '1'), limit: 1 }),
        store.find(things, { where: eq('labels', 'a'), limit: 1 }),
        store.find(things, { where: has('title', 'a'), limit: 1 }),
        store.find(things, { where: includes('createdAt', 'a'), limit: 1 }),
        store.find(things, { where: holdsWords(['createdAt'], ['a']), limit: 1 }),
        store.find(things, { where: holdsWords(['title'], ['a" OR "b']), limit: 1 }),
        store.find(things, { where: holdsWords([], ['a']), limit: 1 }),
        store.find(things, { sort: [asc('body')], limit: 1 }),
        store.find(things, { sort: [asc('title"; --')], limit: 1 }),
        store.find(things, { sort: [asc('title')], after: ['a'], limit: 1 }),
        store.find(things, { limit: -1 }),
        store.count(things, { where: or(eq('id', 1), eq('nothing', 1)), atMost: 1 }),
        store.getFields(things, 1, ['id', 'nothing' as never]),
      ];
      for (const result of await Promise.allSettled(refused))
        expect(result).toMatchObject({ status: 'rejected', reason: expect.any(TypeError) });
    });

    test('keeps collections that fit their declaration and resets the others', async () => {
      const { store } = await fresh([put(things, thing(1)), put(names, name('a', 1, 'one'))]);
      expect(await store.declare([things, names])).toEqual({ reset: [] });
      const indexed = { ...things, indexes: [['title'], ['owners'], ['labels']] };
      expect(await store.declare([indexed, names])).toEqual({ reset: [] });
      expect(await store.get(things, 1)).toEqual(thing(1));
      const changed = defineCollection({ ...names, fields: { ...names.fields, extra: 'json?' } });
      expect(await store.declare([changed])).toEqual({ reset: ['names'] });
      expect(await store.declare([changed])).toEqual({ reset: ['names'] });
      expect(await store.get(changed, 'a')).toBeUndefined();
      await store.reset([changed], ['some']);
      expect(await store.declare([changed])).toEqual({ reset: [] });
      await writeAll(store, [put(changed, { ...name('a', 1, 'one'), extra: [1] })]);
      expect(await store.get(changed, 'a')).toEqual({ ...name('a', 1, 'one'), extra: [1] });
    });

    test('empties collections and deletes checkpoints', async () => {
      const { store } = await fresh([
        put(things, thing(1, { labels: ['x'] })),
        put(names, name('a', 1, 'one')),
      ]);
      await store.write({
        changes: [],
        checkpoints: new Map([
          ['some', '1'],
          ['other', '1'],
        ]),
      });
      await store.reset([things], ['some']);
      expect(await store.count(things, { atMost: 9 })).toBe(0);
      expect(await store.count(things, { where: has('labels', 'x'), atMost: 9 })).toBe(0);
      expect(await store.count(names, { atMost: 9 })).toBe(1);
      expect(await store.checkpoint('some')).toBe(BEGINNING);
      expect(await store.checkpoint('other')).toBe('1');
    });

    test('fills a candidate beside the store and swaps it in', async () => {
      const { store } = await fresh([put(things, thing(1))]);
      await store.write({ changes: [], checkpoints: new Map([['policy:mail', '7']]) });
      const discarded = await store.beside();
      await discarded.declare([things]);
      await discarded.discard();
      const candidate = await store.beside();
      await candidate.declare([things, names]);
      expect(await candidate.get(things, 1)).toBeUndefined();
      await candidate.write({
        changes: [put(things, thing(2))],
        checkpoints: new Map([
          ['some', '9'],
          ['policy:mail', await store.checkpoint('policy:mail')],
        ]),
      });
      expect(await store.get(things, 2)).toBeUndefined();
      await candidate.swap();
      expect(await store.get(things, 1)).toBeUndefined();
      expect(await store.get(things, 2)).toEqual(thing(2));
      const worded = await store.find(things, { where: holdsWords(['title'], ['thing']), limit: 9 });
      expect(worded.map(({ id }) => id)).toEqual([2]);
      expect(await store.checkpoint('some')).toBe('9');
      expect(await store.checkpoint('policy:mail')).toBe('7');
    });

    test('keeps the checkpoints of policies and feeds across a swap', async () => {
      const { store } = await fresh();
      const left = new Map([
        ['policy:mail', '7'],
        ['feed:kafka', '8'],
        ['some', '9'],
      ]);
      await store.write({ changes: [], checkpoints: left });
      const candidate = await store.beside();
      await candidate.declare([things]);
      await candidate.swap();
      expect(await store.checkpoint('policy:mail')).toBe('7');
      expect(await store.checkpoint('feed:kafka')).toBe('8');
      expect(await store.checkpoint('some')).toBe(BEGINNING);
    });

    test('holds the same documents after a reopen', async ({ skip }) => {
      const { store, reopen } = await fresh([put(things, thing(1)), put(things, thing(2))]);
      if (!reopen) return skip('its documents end with the store');
      await store.write({
        changes: [],
        checkpoints: new Map([
          ['some', '1'],
          ['policy:mail', '1'],
        ]),
      });
      const again = await reopen();
      opened.push(again);
      expect(await again.declare([things, names])).toEqual({ reset: [] });
      expect(await again.find(things, { limit: 9 })).toEqual([thing(1), thing(2)]);
      expect(await again.count(things, { where: holdsWords(['title'], ['thing', '2']), atMost: 9 })).toBe(1);
      expect(await again.checkpoint('some')).toBe('1');
      expect(await again.checkpoint('policy:mail')).toBe('1');
    });

    test('rebuilds documents when their other inputs change', async ({ skip }) => {
      const { reopen } = await fresh([put(things, thing(1))]);
      if (!reopen) return skip('its documents end with the store');
      const again = await reopen();
      opened.push(again);
      const other = { ...things, madeWith: 'another table' };
      expect(await again.declare([other, names])).toEqual({ reset: ['some_things'] });
      expect(await again.find(other, { limit: 9 })).toEqual([]);
    });

    test('pages by offset stay right while documents change', async () => {
      const { store } = await fresh(
        Array.from({ length: 30 }, (_, i) => put(things, thing(i, { group: i % 2 }))),
      );
      const page = async (offset: number) =>
        (
          await store.find(things, { where: eq('group', 1), sort: [desc('createdAt')], limit: 4, offset })
        ).map(({ id }) => id);
      expect(await page(0)).toEqual([29, 27, 25, 23]);
      expect(await page(4)).toEqual([21, 19, 17, 15]);
      expect(await page(12)).toEqual([5, 3, 1]);
      expect(await page(4)).toEqual([21, 19, 17, 15]);
      await writeAll(store, [remove(things, 29, '2')]);
      expect(await page(4)).toEqual([19, 17, 15, 13]);
      expect(await store.count(things, { where: eq('group', 1), atMost: 100 })).toBe(14);
      expect(await store.count(things, { where: eq('group', 1), atMost: 10 })).toBe(10);
    });

    test('keeps pages by keyset correct while documents change, including the anchor document', async () => {
      // Many weights are equal, and some are null.
      const weights = [null, 1, 1, 2, null, 1, 2, null];
      const { store } = await fresh(weights.map((weight, id) => put(things, thing(id, { weight }))));
      for (const along of [asc, desc]) {
        const page = async (after?: (number | null)[]) =>
          (await store.find(things, { sort: [along('weight')], limit: 3, after })).map(
            ({ id, weight }) => [weight, id] as const,
          );
        const first = await page();
        const place = first.at(-1)!;
        const rest = await page([...place]);
        await writeAll(store, [remove(things, place[1], '2')]);
        expect(await page([...place])).toEqual(rest);
        await writeAll(store, [
          put(things, thing(first[0]![1], { weight: first[0]![0], title: 'changed' }), '2'),
          put(things, thing(along === asc ? -2 : 90, { weight: place[0] }), '2'),
          put(things, thing(along === asc ? -1 : 91, { weight: first[0]![0] }), '2'),
        ]);
        expect(await page([...place])).toEqual(rest);
      }
    });

    test('searches without regard to case in any script', async () => {
      const titles = [
        'Back to OK',
        'back to o\u212a', // the Kelvin sign
        'ÄPFEL ok',
        'A\u0308pfel', // a decomposed Ä
        'Apfel',
        'nul\0BYTE',
        'Nül\0byte',
        'İstanbul',
        'ΟΔΟΣ 🙂',
        '100%_"\'\\',
        '',
        null,
      ];
      const { store } = await fresh(titles.map((title, id) => put(things, thing(id, { title }))));
      const found = async (text: string, { without = false } = {}) => {
        const where = without ? not(includes('title', text)) : includes('title', text);
        return (await store.find(things, { where, limit: 99 })).map(({ id }) => id);
      };
      expect(await found('oK')).toEqual([0, 1, 2]);
      expect(await found('O\u212a')).toEqual([0, 1, 2]);
      expect(await found('äPFEL')).toEqual([2, 3]);
      expect(await found('a\u0308pf')).toEqual([2, 3]);
      expect(await found('apfel')).toEqual([4]);
      expect(await found('\0byte')).toEqual([5, 6]);
      expect(await found('NÜL\0b')).toEqual([6]);
      expect(await found('İSTAN')).toEqual([7]);
      expect(await found('οδος')).toEqual([8]);
      expect(await found('🙂')).toEqual([8]);
      expect(await found('%_"\'\\')).toEqual([9]);
      expect(await found('_')).toEqual([9]);
      expect(await found('')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(await found('', { without: true })).toEqual([11]);
      expect(await found('K', { without: true })).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
      await writeAll(store, [
        put(things, thing(0, { title: 'Œuvre' }), '2'),
        put(things, thing(2, { title: 'OEUVRE' }), '2'),
      ]);
      expect(await found('ok')).toEqual([1]);
      expect(await found('œUVRE')).toEqual([0]);
      expect(await found('oeuvre')).toEqual([2]);
    });

    test('finds words in any of the fields', async () => {
      const texts: [title: string | null, note: string | null][] = [
        ['Fix the parser', 'It fails on "quotes" AND NOT *stars*'],
        ['The failing parsers', null],
        ['Straße in Köln', 'fix'],
        [null, null],
        ['a\0b pass\u200bword', '\u202eparser\u202c 検索'],
        ['x'.repeat(1000), `${'filler '.repeat(50_000)}last`],
      ];
      const { store } = await fresh(
        texts.map(([title, note], id) => put(things, thing(id, { title, note, group: id % 2 }))),
      );
      const both = ['title', 'note'];
      const ids = async (where: Condition) => {
        const found = await store.find(things, { where, limit: 99 });
        expect(await store.count(things, { where, atMost: 99 })).toBe(found.length);
        return found.map(({ id }) => id);
      };
      const found = (text: string, fields: readonly string[] = both) =>
        ids(holdsWords(fields, wordsOf(text)));
      expect(await found('PARSER')).toEqual([0, 1, 4]);
      expect(await found('parser', ['title'])).toEqual([0, 1]);
      expect(await found('parsers fail')).toEqual([1]);
      // One word in the title, the other in the note.
      expect(await found('fix koln')).toEqual([2]);
      expect(await found('fix quotes', ['title'])).toEqual([]);
      expect(await found('strasse STRASSE straße')).toEqual([2]);
      expect(await found('not')).toEqual([0]);
      expect(await found('no')).toEqual([]);
      expect(await found('b')).toEqual([4]);
      expect(await found('password')).toEqual([4]);
      expect(await found('索')).toEqual([4]);
      expect(await found('last')).toEqual([5]);
      expect(await found('x'.repeat(40))).toEqual([5]);
      expect(await found('')).toEqual([0, 1, 2, 3, 4, 5]);
      const parser = holdsWords(both, ['parser']);
      expect(await ids(not(parser))).toEqual([2, 3, 5]);
      expect(await ids(and(parser, eq('group', 0)))).toEqual([0, 4]);
      expect(await ids(and(parser, range('id', { gt: 0, lte: 4 })))).toEqual([1, 4]);
      expect(await ids(or(parser, eq('id', 3)))).toEqual([0, 1, 3, 4]);

      // Words follow their document.
      await writeAll(store, [
        put(things, thing(0, { title: 'lexer', note: null }), '2'),
        remove(things, 1, '2'),
      ]);
      await writeAll(store, [put(things, thing(4, { title: 'older parser' }), '0')]);
      expect(await found('parser')).toEqual([4]);
      expect(await found('older')).toEqual([]);
      expect(await found('lexer')).toEqual([0]);
      await store.reset([things], []);
      expect(await found('lexer')).toEqual([]);
    });

    test('accepts long lists of values', async () => {
      const { store } = await fresh(
        Array.from({ length: 9 }, (_, i) => put(things, thing(i, { labels: [`l${i}`] }))),
      );
      const many = Array.from({ length: 40_000 }, (_, i) => i * 2);
      const found = await store.find(things, { where: oneOf('id', many), limit: 9 });
      expect(found.map(({ id }) => id)).toEqual([0, 2, 4, 6, 8]);
      const labels = many.map((i) => `l${i}`);
      expect(await store.count(things, { where: hasAny('labels', labels), atMost: 9 })).toBe(5);
      expect(await store.count(things, { where: not(hasAny('labels', labels)), atMost: 9 })).toBe(4);
      const where = and(range('id', { gte: 3 }), not(isEmpty('labels')), not(eq('group', 2)));
      expect(await store.count(things, { where, atMost: 9 })).toBe(6);
    });

    describeAgainstModel(async () => (await fresh()).store, modelRuns);
  });
}
