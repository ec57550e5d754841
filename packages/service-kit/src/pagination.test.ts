import { describe, expect, test } from 'vitest';
import { pageRequest, paginationHeaders } from './pagination.ts';

const links = {
  base: 'http://host/api/v4/things',
  parameters: [
    ['state', 'opened'],
    ['iids[]', '1'],
    ['page', '9'],
  ] as const,
  direction: 'asc' as const,
};
const page = (number: number) => ({ number, size: 20, offset: (number - 1) * 20, keyset: false });
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

  test('at the ends the neighbours are empty, not absent', () => {
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

  test('beyond what is counted, and where nothing is counted, totals are left out', () => {
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

  test('keyset pages name the next one alone', () => {
    const next = paginationHeaders({ by: 'keyset', id: 42 }, page(1), links, true);
    expect(Object.keys(next)).toEqual(['Link']);
    expect(next.Link).toContain('id_after=42');
    expect(next.Link).not.toContain('page=9');
    expect(paginationHeaders({ by: 'keyset', id: null }, page(1), links, true)).toEqual({});
    const down = paginationHeaders({ by: 'keyset', id: 42 }, page(1), { ...links, direction: 'desc' }, true);
    expect(down.Link).toContain('id_before=42');
  });
});

test('a page beyond any list still begins at a number that stores can count with', () => {
  const { offset, size } = pageRequest({ page: Number.MAX_SAFE_INTEGER, per_page: 500 });
  expect(size).toBe(100);
  expect(Number.isSafeInteger(offset + size)).toBe(true);
});
