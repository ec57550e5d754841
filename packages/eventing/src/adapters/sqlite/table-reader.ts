import { LRUCache } from 'lru-cache';
import { checkCondition, checkQuery, fieldType } from '../../collection-checks.ts';
import type { Scalar, SortKey } from '../../query.ts';
import type { AnyCollection, CountQuery, Query } from '../../read-store.ts';
import { conditionSql, type IsRare, type Rarity } from './condition-sql.ts';
import { orderBy, segmentsAfter } from './keyset-sql.ts';
import { LIMIT } from './limit-sql.ts';
import { PageBookmarks } from './page-bookmarks.ts';
import type { ReadConnection } from './read-connection.ts';
import { Selections } from './selections.ts';
import { POSITION, quote, type SqlValue, type Table } from './table.ts';

/** Below so many holders of a value, documents are looked up by key instead of filtered. */
const RARE = 500;
const FEW_HOLDERS = 2000;
const COUNTS = 500;

export class TableReader {
  readonly #table: Table;
  readonly #connection: ReadConnection;
  readonly #selections: Selections;
  readonly #bookmarks = new PageBookmarks();
  readonly #counts = new LRUCache<string, number>({ max: COUNTS });
  /** Statements for `getFields`, keyed by the identity of the field list. */
  readonly #someSql = new WeakMap<readonly string[], string>();
  readonly #all: string;
  #version = 0;

  constructor(table: Table, connection: ReadConnection) {
    this.#table = table;
    this.#connection = connection;
    this.#selections = new Selections(table);
    this.#all = `SELECT ${[...this.#selections.of(table.fields).columns, POSITION].join(', ')} FROM ${table.name} WHERE ${table.key} = ?`;
  }

  changed(): void {
    this.#version++;
    this.#counts.clear();
  }

  entry(key: string | number): { document: Record<string, unknown>; position: string } | undefined {
    const row = this.#connection.get(this.#all, [key]);
    if (!row) return undefined;
    const { columns, decode } = this.#selections.of(this.#table.fields);
    return { document: decode(row), position: row[columns.length] as string };
  }

  some(
    key: string | number,
    fields: readonly string[] = this.#table.fields,
  ): Record<string, unknown> | undefined {
    let sql = this.#someSql.get(fields);
    if (sql === undefined) {
      for (const field of fields) fieldType(this.#table.collection, field);
      sql = `SELECT ${this.#selections.of(fields).columns.join(', ')} FROM ${this.#table.name} WHERE ${this.#table.key} = ?`;
      this.#someSql.set(fields, sql);
    }
    const row = this.#connection.get(sql, [key]);
    return row && this.#selections.of(fields).decode(row);
  }

  count({ where, atMost }: CountQuery): number {
    if (where) checkCondition(this.#table.collection, where);
    const condition = conditionSql(this.#table, where, this.#whenCounting);
    const id = `${atMost} ${JSON.stringify(condition.parameters)} ${condition.sql}`;
    let count = this.#counts.get(id);
    if (count === undefined) {
      const rows = `SELECT 1 FROM ${this.#from(condition)} WHERE ${condition.sql} ${LIMIT}`;
      const [found] = this.#connection.get(`SELECT count(*) FROM (${rows})`, [
        ...condition.parameters,
        atMost,
      ]) as [number];
      count = found;
      this.#counts.set(id, count);
    }
    return count;
  }

  find(query: Query<AnyCollection>): Record<string, unknown>[] {
    const sort = checkQuery(this.#table.collection, query);
    const condition = conditionSql(this.#table, query.where, this.#whenFinding);
    const fields = query.select ?? this.#table.fields;
    // A page by offset leaves a bookmark, so read the sort keys too.
    const paged = query.offset !== undefined && !query.after;
    const { columns, places, decode } = this.#selections.of(fields);
    const keys = sort.map(({ field }) => field);
    const others = paged ? keys.filter((field) => !places.has(field)) : [];
    const all = [...columns, ...others.map(quote)].join(', ');
    const head = `SELECT ${all} FROM ${this.#from(condition)} WHERE ${condition.sql}`;
    const select: Select = { head, parameters: condition.parameters, sort };
    if (!paged) {
      const rows = query.after
        ? this.#after(select, query.after, query.offset ?? 0, query.limit)
        : this.#rows(select, '', [], query.limit, 0);
      return rows.map(decode);
    }
    const keyAt = keys.map((field) => places.get(field) ?? columns.length + others.indexOf(field));
    const rows = this.#page(select, query.offset ?? 0, query.limit, keyAt);
    return rows.map(decode);
  }

  /** @param keyAt where a row holds the sort keys */
  #page(select: Select, offset: number, limit: number, keyAt: readonly number[]): SqlValue[][] {
    const list = JSON.stringify([select.head, orderBy(select.sort), select.parameters]);
    const rows =
      offset === 0 ? this.#rows(select, '', [], limit, 0) : this.#inside(select, list, offset, limit, keyAt);
    if (rows.length < limit) return rows;
    // A caller that asks for one row more, to see whether there is a next page, continues one row earlier.
    for (const back of [1, 2]) {
      const row = rows.at(-back);
      if (row) this.#bookmarks.remember(list, this.#version, offset + limit + 1 - back, valuesAt(row, keyAt));
    }
    return rows;
  }

  #inside(
    select: Select,
    list: string,
    offset: number,
    limit: number,
    keyAt: readonly number[],
  ): SqlValue[][] {
    const mark = this.#bookmarks.before(list, this.#version, offset);
    if (mark?.offset === offset) return this.#after(select, mark.after, 0, limit);
    const rows = mark
      ? this.#after(select, mark.after, offset - 1 - mark.offset, limit + 1)
      : this.#rows(select, '', [], limit + 1, offset - 1);
    const before = rows.shift();
    if (before) this.#bookmarks.remember(list, this.#version, offset, valuesAt(before, keyAt));
    return rows;
  }

  #after(select: Select, after: readonly (Scalar | null)[], offset: number, limit: number): SqlValue[][] {
    const rows: SqlValue[][] = [];
    let skip = offset;
    for (const segment of segmentsAfter(select.sort, after, this.#table.collection.key)) {
      if (rows.length >= limit) break;
      const found = this.#rows(select, segment.sql, segment.parameters, limit - rows.length, skip);
      if (found.length > 0) skip = 0;
      else if (skip > 0) skip -= this.#segmentSize(select, segment.sql, segment.parameters, skip);
      for (const row of found) rows.push(row);
    }
    return rows;
  }

  #rows(
    { head, parameters, sort }: Select,
    segment: string,
    bounds: readonly SqlValue[],
    limit: number,
    offset: number,
  ): SqlValue[][] {
    const where = segment ? ` AND ${segment}` : '';
    const sql = `${head}${where} ORDER BY ${orderBy(sort)} ${LIMIT}${offset > 0 ? ' OFFSET ?' : ''}`;
    const page = offset > 0 ? [limit, offset] : [limit];
    return this.#connection.all(sql, [...parameters, ...bounds, ...page]);
  }

  #segmentSize(select: Select, segment: string, bounds: readonly SqlValue[], atMost: number): number {
    const sql = `SELECT count(*) FROM (${select.head} AND ${segment} ${LIMIT})`;
    const [count] = this.#connection.get(sql, [...select.parameters, ...bounds, atMost]) as [number];
    return count;
  }

  /** For few documents by key, keep the planner from walking an index in sort order. */
  #from({ byKey }: { byKey: boolean }): string {
    const forced = byKey && this.#table.type(this.#table.collection.key) === 'integer';
    return forced ? `${this.#table.name} NOT INDEXED` : this.#table.name;
  }

  readonly #isRare: IsRare = (field, values) => {
    if (values.length > 8) return false;
    const listed = values.map(() => '?').join(', ');
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${this.#table.side(field)} WHERE value IN (${listed}) LIMIT ${RARE})`;
    const [holders] = this.#connection.get(sql, values as SqlValue[]) as [number];
    return holders < RARE;
  };

  readonly #areFew: Rarity['looksUp'] = ({ sql, parameters }) => {
    const some = `SELECT count(*) FROM (${sql} LIMIT ${FEW_HOLDERS})`;
    const [holders] = this.#connection.get(some, parameters) as [number];
    return holders < FEW_HOLDERS;
  };

  readonly #whenFinding: Rarity = { isRare: this.#isRare, looksUp: this.#areFew };

  /** No order to walk along. */
  readonly #whenCounting: Rarity = {
    isRare: this.#isRare,
    looksUp: (holders, isNarrow) => !isNarrow || this.#areFew(holders, isNarrow),
  };
}

const valuesAt = (row: readonly SqlValue[], places: readonly number[]) => places.map((at) => row[at] ?? null);

interface Select {
  head: string;
  parameters: readonly SqlValue[];
  sort: readonly SortKey[];
}
