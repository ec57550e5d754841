import { MAX_PER_PAGE } from '@forgelog/contracts/page.params.ts';
import { fullSort } from '@forgelog/eventing/collection-checks.ts';
import { and, type Condition, range, type Scalar, type SortKey } from '@forgelog/eventing/query.ts';
import { compareValues } from '@forgelog/eventing/query-evaluation.ts';
import type { AnyCollection, DocumentOf, ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Answer, NextPage } from './answer.ts';
import { invalidCursor, type Keyset, orderNamed, type Place, valuesAfter } from './cursor.ts';
import type { Renderer } from './view.ts';

/** Totals beyond this are left out. */
export const MAX_COUNTED = 10_000;
/** [L521] beyond it only keyset pages. */
export const MAX_OFFSET_RECORDS = 50_000;

export interface PageRequest {
  number: number;
  /** 1..100. */
  size: number;
  offset: number;
  /** What is asked for by keyset; null for a page by its number. */
  keyset: Keyset | null;
}

export function pageRequest(params: { page: number; per_page: number }): PageRequest {
  const size = Math.min(params.per_page, MAX_PER_PAGE);
  return {
    number: params.page,
    size,
    // Beyond any list, and still a number that a store can count with.
    offset: Math.min((params.page - 1) * size, Number.MAX_SAFE_INTEGER - size),
    keyset: null,
  };
}

/*
 * Every list is one of three kinds, and each gives pages by number and by keyset: documents of a read model (`pageOf`),
 * an array in memory (`pageOfArray`), and what is read from something that never changes (`pageOfSnapshot`).
 */

/** One page of the documents of a read model as a view shows them, with its total up to 10,000. */
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
  /** The condition put differently for counting, where that is faster than `where`. */
  counted?: Condition;
  /** The key decides among equals. */
  sort: readonly SortKey[];
  page: PageRequest;
  select?: readonly (keyof DocumentOf<C> & string)[];
}

/**
 * One page of the documents of a read model, with its total up to 10,000.
 * @throws 400 for a cursor of another order
 */
export async function pageOf<C extends AnyCollection>(
  readStore: ReadStore,
  collection: C,
  options: DocumentList<C>,
): Promise<{ documents: DocumentOf<C>[]; next: NextPage }> {
  const { where, counted: countedWhere = where, sort, page, select } = options;
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
  const keys = fullSort(collection, sort);
  const fields = keys.map(({ field }) => field as keyof DocumentOf<C> & string);
  // With the types: a cursor from before a field changed its type is one of another order.
  const types = keys.map(({ field, direction }) => [field, collection.fields[field], direction]);
  const order = orderNamed(collection.name, types);
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

/** What an array is ordered by: the first key, the second among equals of the first, and so on to one of its own. */
export type ArrayOrder<T> = readonly { of(item: T): Scalar | null; direction: 'asc' | 'desc' }[];

export function inOrder<T>(items: readonly T[], order: ArrayOrder<T>): T[] {
  return items.toSorted((a, b) =>
    comparePlaces(
      order,
      order.map(({ of }) => of(a)),
      order.map(({ of }) => of(b)),
    ),
  );
}

/**
 * One page of what is in memory whole and in the order given.
 * @param name names the order among those that the list can have
 * @throws 400 for a cursor of another order
 */
export function pageOfArray<T>(
  items: readonly T[],
  page: PageRequest,
  name: string,
  order: ArrayOrder<T>,
): { items: T[]; next: NextPage } {
  const placeOf = (item: T) => order.map(({ of }) => of(item));
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
  const found = after ? items.findIndex((item) => comparePlaces(order, placeOf(item), after) > 0) : 0;
  const begin = found < 0 ? items.length : found;
  const shown = items.slice(begin, begin + page.size);
  const last = shown.at(-1);
  const more = last !== undefined && items.length > begin + page.size;
  return {
    items: shown,
    next: { by: 'keyset', after: more ? { order: named, values: placeOf(last) } : null },
  };
}

function comparePlaces<T>(order: ArrayOrder<T>, a: Place['values'], b: Place['values']): number {
  for (const [at, { direction }] of order.entries()) {
    const compared = compareValues(a[at] ?? null, b[at] ?? null);
    if (compared !== 0) return direction === 'asc' ? compared : -compared;
  }
  return 0;
}

export interface Snapshot<T> {
  /** Names the list among those that the endpoint can give of the same thing: its order and its filters. */
  name: unknown;
  /** What the list is made of now, by a name under which it never changes: ids of commits. */
  current(): Promise<string>;
  /** Whether that of an earlier page can still be read. */
  isThere(made: string): Promise<boolean>;
  read(made: string, offset: number): Promise<{ items: T[]; total: number | null; more: boolean }>;
}

/**
 * One page of a list that never changes as long as it is made of the same: keyset pages stay with what the first one
 * was made of.
 * @throws 400 for a cursor of another list, and for one whose snapshot is gone
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

/** The page of a list that has nothing to show. */
export function emptyPage({ keyset }: PageRequest): { items: never[]; next: NextPage } {
  return {
    items: [],
    next: keyset ? { by: 'keyset', after: null } : { by: 'offset', total: 0, more: false },
  };
}

/** The filters `id_after` and `id_before`, which are the cursor of keyset pages by id too [L467]. */
export function idBounds(params: { id_after?: number; id_before?: number }, field = 'id'): Condition {
  if (params.id_after === undefined && params.id_before === undefined) return and();
  return range(field, {
    ...(params.id_after === undefined ? {} : { gt: params.id_after }),
    ...(params.id_before === undefined ? {} : { lt: params.id_before }),
  });
}
