import type { Fields, PublishedEvent } from './published-event.ts';
import type { RestApi } from './rest-api.ts';

export type Value = string | number | null;
export type Row = Record<string, Value>;

export interface Column {
  type: 'VARCHAR' | 'BIGINT' | 'INTEGER';
  /** Field of the record, as the rules of the server's document name it; null for a column that only `on` fills. */
  field: string | null;
  about: string;
  /** The stored value of a field. */
  store(value: unknown, event: PublishedEvent): Value;
  isIndexed: boolean;
  /** Whether a change sets the named members alone, and the others keep their value. */
  isMerged: boolean;
}

type Given = Partial<Pick<Column, 'store' | 'isIndexed'>>;
const plain = (value: unknown): Value => (value ?? null) as Value;
const column = (type: Column['type'], field: string | null, about: string, given: Given = {}): Column => ({
  ...{ type, field, about, store: plain, isIndexed: false, isMerged: false },
  ...given,
});

export const text = (field: string | null, about: string) => column('VARCHAR', field, about);
export const whole = (field: string | null, about: string) => column('BIGINT', field, about);
/** An id by which rows are looked up. */
export const reference = (field: string, about: string) =>
  column('BIGINT', field, about, { isIndexed: true });
export const flag = (field: string, about: string) =>
  column('INTEGER', field, `${about}: 1 or 0.`, {
    store: (value) => (value === null || value === undefined ? null : Number(value)),
  });
export const json = (field: string, about: string) =>
  column('VARCHAR', field, `${about}, in JSON.`, { store: (value) => JSON.stringify(value ?? null) });
/** Settings with their defaults: a change names some of them. */
export const settings = (field: string, about: string): Column => ({ ...json(field, about), isMerged: true });
/** A time that people may set; else that of the event. */
export const timeOrSet = (field: string, about: string) =>
  column('VARCHAR', field, about, { store: (value, event) => plain(value ?? event.time) });

/** The end of a row's data: when it was begun, changed and ended. */
export const LIFE = {
  began_at: text(null, 'When it began, in ISO 8601 and UTC.'),
  changed_at: text(null, 'When an event last began or changed it.'),
  ended_at: text(null, 'When it ended, by itself or with what it belonged to; null while it exists.'),
};

/** Rows of the REST API that a table must agree with. */
export interface Comparison {
  /** Of the replica, by columns; `key` is among them. */
  select: string;
  key: readonly string[];
  /** Whether the server may leave out rows, such as those that a person may no longer see. */
  isPartial?: boolean;
  /** The same from the server. A column that a row lacks is not compared. */
  served(api: RestApi): AsyncIterable<Record<string, unknown>>;
}

/** A table with a row for each record of a kind, such as `Issue`. The server's rules say when rows begin and end. */
export interface RecordTable {
  kind: string;
  name: string;
  about: string;
  columns: Readonly<Record<string, Column>>;
  key: readonly string[];
  /** A second table, with a row for each time in which these columns kept their values. */
  history: { name: string; columns: readonly string[] } | null;
  /** Columns that events fill besides, in the row with the ids that the event has. */
  on: Readonly<Record<string, (event: PublishedEvent) => Row>>;
  compare: Comparison | null;
}

/** A table with rows that events add, and nothing changes. */
export interface FactTable {
  name: string;
  about: string;
  columns: Readonly<Record<string, Column>>;
  key: readonly string[];
  /** Undefined where the event adds nothing. */
  rowOf(event: PublishedEvent): Row | undefined;
}

/** A question that is asked so often that the replica has its answer: `sql` is a SELECT. */
export interface View {
  name: string;
  about: string;
  sql: string;
  compare: Comparison | null;
}

/** What a slice of the server brings to the replica. */
export interface Part {
  /**
   * The version of each event type that the tables are written for. The replica stops at a newer one, whose fields may
   * mean something else.
   */
  events: Readonly<Record<string, number>>;
  records?: readonly RecordTable[];
  facts?: readonly FactTable[];
  views?: readonly View[];
}

export function defineRecords(
  given: Omit<RecordTable, 'history' | 'on' | 'compare'> &
    Partial<Pick<RecordTable, 'history' | 'on' | 'compare'>>,
): RecordTable {
  const columns = { ...given.columns, ...LIFE };
  return { history: null, on: {}, compare: null, ...given, columns };
}

export const defineFacts = (given: FactTable): FactTable => given;
export const defineView = (given: Omit<View, 'compare'> & Partial<Pick<View, 'compare'>>): View => ({
  compare: null,
  ...given,
});

/** The column of a record's field; undefined where the table does not keep it. */
export const columnOf = ({ columns }: RecordTable, field: string): string | undefined =>
  Object.keys(columns).find((name) => columns[name]!.field === field);

/** The fields of the record in a row, as far as the table keeps them. */
export function recordOf({ columns }: RecordTable, row: Row): Fields {
  const known = Object.entries(columns).filter(([, { field }]) => field !== null);
  return Object.fromEntries(known.map(([name, { field }]) => [field, row[name]]));
}
