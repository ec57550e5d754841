import { MAX_PER_PAGE } from '@forgelog/contracts/page.params.ts';
import { fullSort } from '@forgelog/eventing/collection-checks.ts';
import { and, type Condition, not, range, type Scalar, type SortKey } from '@forgelog/eventing/query.ts';
import { compareValues } from '@forgelog/eventing/query-evaluation.ts';
import type { AnyCollection, DocumentOf, ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Answer, NextPage } from './answer.ts';
import { invalidCursor, type Keyset, type KeysetPosition, orderNamed, valuesAfter } from './cursor.ts';
import type { Renderer } from './view.ts';

/** Larger totals are left out. */
export const MAX_COUNTED = 10_000;
/** Offset pages end here; beyond it only keyset pages [L521]. */
export const MAX_OFFSET_RECORDS = 50_000;

export interface PageRequest {
  number: number;
  size: number;
  offset: number;
  /** null for a page by number. */
  keyset: Keyset | null;
}

export function pageRequest(params: { page: number; per_page: number }): PageRequest {
  const size = Math.min(params.per_page, MAX_PER_PAGE);
  return {
    number: params.page,
    size,
    // Beyond any list, and still a number that a store can add to.
    offset: Math.min((params.page - 1) * size, Number.MAX_SAFE_INTEGER - size),
    keyset: null,
  };
}

/*
 * Each list is one of three kinds, all with offset and keyset pages: documents of a read model (`pageOf`), an array
 * in memory (`pageOfArray`), and a list of something immutable (`pageOfSnapshot`).
 */

export async function listPage<C extends AnyCollection>(
  readStore: ReadStore,
  collection: C,
  { view, ...list }: Omit<DocumentList<C>, 'select'> & { view: Renderer<DocumentOf<C>> },
): Promise<Answer> {
  const { documents, next } = await pageOf(readStore, collection, { ...list, select: view.columns });
  return { kind: 'list', items: view.list(documents), next };
}

interface DocumentList<C extends AnyCollection> {
  where: Condition;
  /** An equivalent condition that counts faster than `where`. */
  counted?: Condition;
  sort: readonly SortKey[];
  /** Those that meet this come before the others, each in the order of `sort`. */
  first?: Condition | undefined;
  /** What comes before `sort`; of two, the first decides before the second. */
  rankings?: readonly Ranking[] | undefined;
  page: PageRequest;
  select?: readonly (keyof DocumentOf<C> & string)[];
}

/** An order by what documents do not hold: lists that follow one another, each in the order of `sort`. */
export interface Ranking {
  name: string;
  /** No document is of two of them. In the order of their keys, which cursors hold. */
  ranks: readonly Rank[];
  direction: 'asc' | 'desc';
  /** The documents of no rank, which come last. */
  rest: Condition;
}

interface Rank {
  key: Scalar;
  where: Condition;
}

/** The total is counted up to 10,000. @throws 400 for a cursor of another order */
export async function pageOf<C extends AnyCollection>(
  readStore: ReadStore,
  collection: C,
  options: DocumentList<C>,
): Promise<{ documents: DocumentOf<C>[]; next: NextPage }> {
  const { where, counted: countedWhere = where, sort, page, select, first, rankings = [] } = options;
  const ranked = first ? [firstThenOthers(first), ...rankings] : rankings;
  if (ranked.length > 0) return rankedPageOf(readStore, collection, { ...options, rankings: ranked });
  if (page.keyset) return keysetPageOf(readStore, collection, options);
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

async function keysetPageOf<C extends AnyCollection>(
  readStore: ReadStore,
  collection: C,
  { where, sort, page, select }: DocumentList<C>,
): Promise<{ documents: DocumentOf<C>[]; next: NextPage }> {
  const { fields, order } = orderOfDocuments(collection, sort);
  const documents = (await readStore.find(collection, {
    where,
    sort,
    limit: page.size + 1,
    after: valuesAfter(page, order),
    select: select && [...new Set([...select, ...fields])],
  })) as DocumentOf<C>[];
  const more = documents.length > page.size;
  if (more) documents.pop();
  const last = documents.at(-1);
  const values = more && last ? fields.map((field) => last[field] as Scalar | null) : null;
  return { documents, next: { by: 'keyset', after: values && { order, values } } };
}

function orderOfDocuments<C extends AnyCollection>(collection: C, sort: readonly SortKey[]) {
  const keys = fullSort(collection, sort);
  const fields = keys.map(({ field }) => field as keyof DocumentOf<C> & string);
  // The field types are a part of the order: a changed type invalidates old cursors.
  const types = keys.map(({ field, direction }) => [field, collection.fields[field], direction]);
  return { fields, order: orderNamed(collection.name, types) };
}

const firstThenOthers = (first: Condition): Ranking => ({
  name: 'first',
  ranks: [{ key: 0, where: first }],
  direction: 'asc',
  rest: not(first),
});

/** One list of a ranked page, with the key of its rank in each ranking: null for what has none. */
interface RankedList {
  keys: readonly (Scalar | null)[];
  where: Condition;
}

/** The lists from the one with these keys on. Those in a rank that holds nothing are passed over together. */
async function* rankedLists(
  [ranking, ...others]: readonly Ranking[],
  within: RankedList,
  from: readonly (Scalar | null)[],
  holdsAny: (where: Condition) => Promise<boolean>,
): AsyncGenerator<RankedList> {
  if (!ranking) {
    yield within;
    return;
  }
  const [begin, ...later] = from;
  for (const { key, where } of [...ranking.ranks, { key: null, where: ranking.rest }]) {
    const place = from.length === 0 ? 1 : rankOrder(key, begin!, ranking.direction);
    if (place < 0) continue;
    const list = { keys: [...within.keys, key], where: and(within.where, where) };
    if (others.length > 0 && !(await holdsAny(list.where))) continue;
    yield* rankedLists(others, list, place === 0 ? later : [], holdsAny);
  }
}

/** What has no rank is last in both directions. */
function rankOrder(a: Scalar | null, b: Scalar | null, direction: 'asc' | 'desc'): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return direction === 'asc' ? compareValues(a, b) : compareValues(b, a);
}

async function rankedPageOf<C extends AnyCollection>(
  readStore: ReadStore,
  collection: C,
  {
    where,
    counted = where,
    sort,
    page,
    select,
    rankings,
  }: DocumentList<C> & { rankings: readonly Ranking[] },
): Promise<{ documents: DocumentOf<C>[]; next: NextPage }> {
  const { fields, order: name } = orderOfDocuments(collection, sort);
  const order = orderNamed('ranked', [name, ...rankings.map(({ name, direction }) => [name, direction])]);
  const values = valuesAfter(page, order) ?? [];
  const from = values.slice(0, rankings.length);
  const after = values.slice(rankings.length);
  const count = (where: Condition, atMost: number) => readStore.count(collection, { where, atMost });
  const holdsAny = async (where: Condition) => (await count(where, 1)) > 0;
  const found: { document: DocumentOf<C>; keys: RankedList['keys'] }[] = [];
  let offset = page.keyset ? 0 : page.offset;
  for await (const list of rankedLists(rankings, { keys: [], where }, from, holdsAny)) {
    const isBegun = after.length > 0 && list.keys.every((key, at) => key === from[at]);
    const documents = (await readStore.find(collection, {
      where: list.where,
      sort,
      limit: page.size + 1 - found.length,
      offset,
      ...(isBegun && { after }),
      select: select && [...new Set([...select, ...fields])],
    })) as DocumentOf<C>[];
    if (documents.length > 0) offset = 0;
    else if (offset > 0) offset -= await count(list.where, offset);
    for (const document of documents) found.push({ document, keys: list.keys });
    if (found.length > page.size) break;
  }
  const more = found.length > page.size;
  if (more) found.pop();
  const documents = found.map(({ document }) => document);
  if (!page.keyset) {
    // The last page tells how many there are.
    const isLast = !more && (documents.length > 0 || page.offset === 0);
    const total = isLast ? page.offset + documents.length : await count(counted, MAX_COUNTED + 1);
    return { documents, next: { by: 'offset', total: total > MAX_COUNTED ? null : total, more } };
  }
  const last = found.at(-1);
  const next = more && last ? [...last.keys, ...fields.map((field) => last.document[field] as Scalar)] : null;
  return { documents, next: { by: 'keyset', after: next && { order, values: next } } };
}

/** Sort keys by priority; the last one must be unique. */
export type ArrayOrder<T> = readonly { of(item: T): Scalar | null; direction: 'asc' | 'desc' }[];

export function inOrder<T>(items: readonly T[], order: ArrayOrder<T>): T[] {
  return items.toSorted((a, b) =>
    comparePositions(
      order,
      order.map(({ of }) => of(a)),
      order.map(({ of }) => of(b)),
    ),
  );
}

/**
 * @param name identifies the order among those of the list
 * @throws 400 for a cursor of another order
 */
export function pageOfArray<T>(
  items: readonly T[],
  page: PageRequest,
  name: string,
  order: ArrayOrder<T>,
): { items: T[]; next: NextPage } {
  const positionOf = (item: T) => order.map(({ of }) => of(item));
  if (!page.keyset) {
    const total = items.length > MAX_COUNTED ? null : items.length;
    const end = page.offset + page.size;
    return {
      items: items.slice(page.offset, end),
      next: { by: 'offset', total, more: items.length > end },
    };
  }
  const named = orderNamed('array', name);
  const after = valuesAfter(page, named);
  const found = after ? items.findIndex((item) => comparePositions(order, positionOf(item), after) > 0) : 0;
  const begin = found < 0 ? items.length : found;
  const shown = items.slice(begin, begin + page.size);
  const last = shown.at(-1);
  const more = last !== undefined && items.length > begin + page.size;
  return {
    items: shown,
    next: { by: 'keyset', after: more ? { order: named, values: positionOf(last) } : null },
  };
}

function comparePositions<T>(
  order: ArrayOrder<T>,
  a: KeysetPosition['values'],
  b: KeysetPosition['values'],
): number {
  for (const [at, { direction }] of order.entries()) {
    const compared = compareValues(a[at] ?? null, b[at] ?? null);
    if (compared !== 0) return direction === 'asc' ? compared : -compared;
  }
  return 0;
}

export interface Snapshot<T> {
  name: unknown;
  /** Identifies the present immutable content, such as commit ids. */
  current(): Promise<string>;
  isThere(made: string): Promise<boolean>;
  read(made: string, offset: number): Promise<{ items: T[]; total: number | null; more: boolean }>;
}

/**
 * Later keyset pages keep the snapshot of the first one. @throws 400 for another list's cursor, or a lost snapshot
 */
export async function pageOfSnapshot<T>(
  page: PageRequest,
  { name, current, isThere, read }: Snapshot<T>,
): Promise<{ items: T[]; next: NextPage }> {
  const order = page.keyset ? orderNamed('snapshot', name) : '';
  const after = valuesAfter(page, order) as [made: string, offset: number] | undefined;
  if (after && !(await isThere(after[0]))) throw invalidCursor(page.keyset!.parameter);
  const [made, offset] = after ?? [await current(), page.keyset ? 0 : page.offset];
  const { items, total, more } = await read(made, offset);
  if (!page.keyset) return { items, next: { by: 'offset', total, more } };
  const next = more ? { order, values: [made, offset + items.length] } : null;
  return { items, next: { by: 'keyset', after: next } };
}

export function emptyPage({ keyset }: PageRequest): { items: never[]; next: NextPage } {
  return {
    items: [],
    next: keyset ? { by: 'keyset', after: null } : { by: 'offset', total: 0, more: false },
  };
}

/** The filters `id_after` and `id_before`, which also serve as cursors by id [L467]. */
export function idBounds(params: { id_after?: number; id_before?: number }, field = 'id'): Condition {
  if (params.id_after === undefined && params.id_before === undefined) return and();
  return range(field, {
    ...(params.id_after === undefined ? {} : { gt: params.id_after }),
    ...(params.id_before === undefined ? {} : { lt: params.id_before }),
  });
}
