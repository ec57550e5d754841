import { Rejection } from '@forgelog/contracts/errors.ts';
import { fallback, int, oneOf } from '@forgelog/contracts/params.ts';
import { and, type Condition, range, type SortKey } from '@forgelog/eventing/query.ts';
import type { AnyCollection, DocumentOf, ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Answer, NextPage } from './answer.ts';

/** Sizes and bounds of lists (companions.md 1.3). */
export const DEFAULT_PER_PAGE = 20;
export const MAX_PER_PAGE = 100;
/** Totals beyond this are left out. */
export const MAX_COUNTED = 10_000;
/** [L521] beyond it only keyset pages. */
export const MAX_OFFSET_RECORDS = 50_000;

export const pageParams = {
  page: fallback(int({ min: 1 }), 1),
  per_page: fallback(int({ min: 1 }), DEFAULT_PER_PAGE),
};
export const keysetParams = { pagination: oneOf('keyset', 'legacy') };

export interface PageRequest {
  number: number;
  /** 1..100. */
  size: number;
  offset: number;
  keyset: boolean;
}

export function pageRequest(params: { page: number; per_page: number; pagination?: string }): PageRequest {
  const size = Math.min(params.per_page, MAX_PER_PAGE);
  return {
    number: params.page,
    size,
    // Beyond any list, and still a number that a store can count with.
    offset: Math.min((params.page - 1) * size, Number.MAX_SAFE_INTEGER - size),
    keyset: params.pagination === 'keyset',
  };
}

/**
 * One page of ready-made JSON out of a read model, with its total up to 10,000.
 * @param field the field that holds the answer's ready JSON
 */
export async function listPage<C extends AnyCollection>(
  readStore: ReadStore,
  collection: C,
  options: {
    where: Condition;
    sort: readonly SortKey[];
    page: PageRequest;
    field: keyof DocumentOf<C> & string;
  },
): Promise<Answer> {
  const { documents, next } = await pageOf(readStore, collection, { ...options, select: [options.field] });
  return { kind: 'list', items: documents.map((document) => document[options.field] as string), next };
}

/**
 * Like `listPage`, for answers that are put together from documents.
 * @param counted the condition put differently for counting, where that is faster than `where`
 */
export async function pageOf<C extends AnyCollection>(
  readStore: ReadStore,
  collection: C,
  options: {
    where: Condition;
    counted?: Condition;
    sort: readonly SortKey[];
    page: PageRequest;
    select?: readonly (keyof DocumentOf<C> & string)[];
  },
): Promise<{ documents: DocumentOf<C>[]; next: NextPage }> {
  const { where, counted: countedWhere = where, sort, page, select } = options;
  const documents = (await readStore.find(collection, {
    where,
    sort,
    limit: page.size + 1,
    offset: page.offset,
    select,
  })) as DocumentOf<C>[];
  const more = documents.length > page.size;
  if (more) documents.pop();
  const counted = await readStore.count(collection, { where: countedWhere, atMost: MAX_COUNTED + 1 });
  return { documents, next: { by: 'offset', total: counted > MAX_COUNTED ? null : counted, more } };
}

/** One keyset page by id; `order_by` must be `id` [L521]. */
export async function keysetPage<C extends AnyCollection>(
  readStore: ReadStore,
  collection: C,
  options: {
    where: Condition;
    orderBy: string;
    direction: 'asc' | 'desc';
    page: PageRequest;
    field: keyof DocumentOf<C> & string;
  },
): Promise<Answer> {
  if (options.orderBy !== 'id') throw new Rejection('keyset_not_available');
  const documents = (await readStore.find(collection, {
    where: options.where,
    sort: [{ field: collection.key, direction: options.direction }],
    limit: options.page.size + 1,
    select: [collection.key, options.field],
  })) as DocumentOf<C>[];
  const more = documents.length > options.page.size;
  if (more) documents.pop();
  const last = documents.at(-1)?.[collection.key] as number | undefined;
  return {
    kind: 'list',
    items: documents.map((document) => document[options.field] as string),
    next: { by: 'keyset', id: more && last !== undefined ? last : null },
  };
}

/** The filters `id_after` and `id_before`, which are the cursor of keyset pages too [L467]. */
export function idBounds(params: { id_after?: number; id_before?: number }, field = 'id'): Condition {
  if (params.id_after === undefined && params.id_before === undefined) return and();
  return range(field, {
    ...(params.id_after === undefined ? {} : { gt: params.id_after }),
    ...(params.id_before === undefined ? {} : { lt: params.id_before }),
  });
}

/**
 * The pagination headers of a list: `X-*` and `Link`, whose addresses keep every parameter of the request.
 * @param address the request's own address below the external one, without page and per_page
 */
export function paginationHeaders(
  next: NextPage,
  page: PageRequest,
  links: { base: string; parameters: readonly (readonly [string, string])[]; direction: 'asc' | 'desc' },
  withTotals: boolean,
): Record<string, string> {
  /** What every link keeps of the request, up to where its own parameters, of these names, follow. */
  const kept = (...own: string[]) => {
    const others = links.parameters.filter(([name]) => name !== 'page' && !own.includes(name));
    const query = others.length === 0 ? '' : `${new URLSearchParams(others as [string, string][])}&`;
    return `<${links.base}?${query}`;
  };
  if (next.by === 'keyset') {
    if (next.id === null) return {};
    const cursor = links.direction === 'asc' ? 'id_after' : 'id_before';
    const begin = kept('pagination', 'per_page', cursor);
    return { Link: `${begin}pagination=keyset&per_page=${page.size}&${cursor}=${next.id}>; rel="next"` };
  }
  const begin = kept('per_page');
  const to = (number: number, rel: string) => `${begin}page=${number}&per_page=${page.size}>; rel="${rel}"`;
  const total = withTotals ? next.total : null;
  const pages = total === null ? null : Math.max(1, Math.ceil(total / page.size));
  const hasNext = pages === null ? next.more : page.number < pages;
  const rels: string[] = [];
  if (page.number > 1) rels.push(to(page.number - 1, 'prev'));
  if (hasNext) rels.push(to(page.number + 1, 'next'));
  rels.push(to(1, 'first'));
  if (pages !== null) rels.push(to(pages, 'last'));
  return {
    Link: rels.join(', '),
    'X-Page': String(page.number),
    'X-Per-Page': String(page.size),
    'X-Next-Page': hasNext ? String(page.number + 1) : '',
    'X-Prev-Page': page.number > 1 ? String(page.number - 1) : '',
    ...(pages === null ? {} : { 'X-Total': String(total), 'X-Total-Pages': String(pages) }),
  };
}
