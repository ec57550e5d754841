import { describe, expect, test } from 'vitest';
import type { NextPage } from './answer.ts';
import type { KeysetPosition } from './cursor.ts';
import { pageOfArray, pageOfSnapshot, pageRequest } from './pagination.ts';
import { paginationHeaders } from './pagination-headers.ts';

const links = {
  base: 'http://host/api/v4/things',
  parameters: [
    ['state', 'opened'],
    ['iids[]', '1'],
    ['page', '9'],
  ] as const,
  cursorOf: ({ values }: KeysetPosition) => ['cursor', values.join('.')] as const,
};
const page = (number: number) => ({ number, size: 20, offset: (number - 1) * 20, keyset: null });
const rels = (link: string | undefined) => [...(link ?? '').matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel);

describe('pagination headers', () => {
  test('in the middle', () => {
    const headers = paginationHeaders({ by: 'offset', total: 50, more: true }, page(2), links, true);
    expect(headers).toMatchObject({
      'X-Total': '50',
      'X-Total-Pages': '3',
      'X-Page': '2',
      'X-Per-Page': '20',
      'X-Next-Page': '3',
      'X-Prev-Page': '1',
    });
    expect(rels(headers.Link)).toEqual(['prev', 'next', 'first', 'last']);
    expect(headers.Link).toContain(
      '<http://host/api/v4/things?state=opened&iids%5B%5D=1&page=3&per_page=20>; rel="next"',
    );
  });

  test('neighbours beyond the ends are empty, not absent', () => {
    const first = paginationHeaders({ by: 'offset', total: 0, more: false }, page(1), links, true);
    expect(first).toMatchObject({
      'X-Next-Page': '',
      'X-Prev-Page': '',
      'X-Total': '0',
      'X-Total-Pages': '1',
    });
    expect(rels(first.Link)).toEqual(['first', 'last']);
    const last = paginationHeaders({ by: 'offset', total: 50, more: false }, page(3), links, true);
    expect(last).toMatchObject({ 'X-Next-Page': '', 'X-Prev-Page': '2' });
  });

  test('totals are left out beyond the counted maximum, or where nothing is counted', () => {
    for (const headers of [
      paginationHeaders({ by: 'offset', total: null, more: true }, page(1), links, true),
      paginationHeaders({ by: 'offset', total: 50, more: true }, page(1), links, false),
    ]) {
      expect(headers).not.toHaveProperty('X-Total');
      expect(headers).not.toHaveProperty('X-Total-Pages');
      expect(headers['X-Next-Page']).toBe('2');
      expect(rels(headers.Link)).toEqual(['next', 'first']);
    }
  });

  test('keyset pages link only the next page', () => {
    const byKeyset = { ...page(1), keyset: { parameter: 'cursor', after: null } };
    const after = { order: 'by name', values: ['x', 42] };
    const given = {
      ...links,
      parameters: [...links.parameters, ['cursor', 'old'], ['per_page', '7']] as const,
    };
    const next = paginationHeaders({ by: 'keyset', after }, byKeyset, given, true);
    expect(next).toEqual({
      Link: '<http://host/api/v4/things?state=opened&iids%5B%5D=1&pagination=keyset&per_page=20&cursor=x.42>; rel="next"',
    });
    expect(paginationHeaders({ by: 'keyset', after: null }, byKeyset, links, true)).toEqual({});
  });

  test('a list without keyset pages throws instead of repeating its first page', () => {
    const byKeyset = { ...page(1), keyset: { parameter: 'cursor', after: null } };
    const numbered = { by: 'offset', total: 50, more: true } as const;
    expect(() => paginationHeaders(numbered, byKeyset, links, true)).toThrow('http://host/api/v4/things');
  });
});

test('the offset of a page beyond any list is a safe integer', () => {
  const { offset, size } = pageRequest({ page: Number.MAX_SAFE_INTEGER, per_page: 500 });
  expect(size).toBe(100);
  expect(Number.isSafeInteger(offset + size)).toBe(true);
});

const keysetPage = (after: KeysetPosition | null) => ({
  ...page(1),
  size: 2,
  keyset: { parameter: 'cursor', after },
});
const afterOf = (next: NextPage) => (next.by === 'keyset' ? next.after : null);

test('an array continues after a deleted last item', () => {
  const order = [
    { of: (item: string) => item.length, direction: 'desc' },
    { of: (item: string) => item, direction: 'asc' },
  ] as const;
  const first = pageOfArray(['ccc', 'aa', 'bb', 'a'], keysetPage(null), 'length', order);
  expect(first.items).toEqual(['ccc', 'aa']);
  const second = keysetPage(afterOf(first.next));
  expect(pageOfArray(['ddd', 'ab', 'bb', 'a'], second, 'length', order).items).toEqual(['ab', 'bb']);
  expect(pageOfArray(['ddd'], second, 'length', order)).toEqual({
    items: [],
    next: { by: 'keyset', after: null },
  });
  expect(() => pageOfArray(['a'], second, 'name', order)).toThrow('invalid_parameters');
});

describe('a snapshot', () => {
  const versions: Record<string, number[]> = { old: [1, 2, 3], new: [9, 8, 7] };
  const listOf = (current: string) => ({
    name: 'numbers',
    current: async () => current,
    isThere: async (made: string) => made in versions,
    read: async (made: string, offset: number) => {
      const all = versions[made]!;
      return { items: all.slice(offset, offset + 2), total: all.length, more: all.length > offset + 2 };
    },
  });

  test('stays the same from page to page, and is refused when it is gone', async () => {
    const first = await pageOfSnapshot(keysetPage(null), listOf('old'));
    expect(first.items).toEqual([1, 2]);
    const second = keysetPage(afterOf(first.next));
    expect(await pageOfSnapshot(second, listOf('new'))).toEqual({
      items: [3],
      next: { by: 'keyset', after: null },
    });
    await expect(pageOfSnapshot(second, { ...listOf('new'), name: 'others' })).rejects.toMatchObject({
      status: 400,
    });
    delete versions.old;
    await expect(pageOfSnapshot(second, listOf('new'))).rejects.toMatchObject({ status: 400 });
  });

  test('is the newest for a page by number', async () => {
    const numbered = { ...page(2), size: 2, offset: 2 };
    const expected = { items: [7], next: { by: 'offset', total: 3, more: false } };
    expect(await pageOfSnapshot(numbered, listOf('new'))).toEqual(expected);
  });
});
