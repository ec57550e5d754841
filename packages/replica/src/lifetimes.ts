import type { Beginning, Contract, Ending } from './contract.ts';
import type { Database } from './database.ts';
import type { Fields, PublishedEvent } from './published-event.ts';
import { columnOf, type RecordTable, type Row, recordOf, type Value } from './table.ts';

/** Begins, changes and ends rows by the rules that the server publishes. */
export interface Lifetimes {
  apply(event: PublishedEvent): Promise<void>;
}

/** Something that ended: an event, or a record that went with another. */
interface End {
  type: string;
  data: Fields;
  time: string;
}

const agrees = (fields: Fields, wanted: Fields): boolean =>
  Object.entries(wanted).every(([name, value]) => fields[name] === value);

export function createLifetimes(
  database: Database,
  contract: Contract,
  tables: readonly RecordTable[],
): Lifetimes {
  const ofKind = new Map(tables.map((table) => [table.kind, table]));

  async function begin(event: PublishedEvent, { kind, id, fields, fixed }: Beginning): Promise<void> {
    const table = ofKind.get(kind);
    if (!table) return;
    const renamed = Object.fromEntries(
      Object.entries(fields).map(([own, other]) => [own, event.data[other]]),
    );
    const record: Fields = { ...event.data, ...renamed, ...fixed };
    if (id.some((field) => record[field] === null || record[field] === undefined)) return;
    const isOver = await hasEndedOwner(kind, record);
    const row: Row = {};
    for (const [name, { field, store, isMerged }] of Object.entries(table.columns)) {
      const given = field === null ? null : record[field];
      const value = isMerged ? { ...contract.defaults(event.type, field!), ...given } : given;
      row[name] = field === null ? null : store(value, event);
    }
    Object.assign(row, {
      began_at: event.time,
      changed_at: event.time,
      ended_at: isOver ? event.time : null,
    });
    await replace(table, row);
    await closeHistory(table, row, event.time);
    await openHistory(table, row, event.time, isOver);
  }

  async function replace({ name, columns, key }: RecordTable, row: Row): Promise<void> {
    const names = Object.keys(columns);
    const others = names.filter((column) => !key.includes(column));
    const set = others.map((column) =>
      column === 'began_at'
        ? `began_at = CASE WHEN ${name}.ended_at IS NULL THEN ${name}.began_at ELSE excluded.began_at END`
        : `${column} = excluded.${column}`,
    );
    await database.run(
      `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set.join(', ')}`,
      names.map((column) => row[column]!),
    );
  }

  async function change(event: PublishedEvent, kind: string): Promise<void> {
    const table = ofKind.get(kind);
    if (!table) return;
    const set: Row = { ...table.on[event.type]?.(event) };
    const ids = keyOf(table, event.data);
    for (const [field, value] of Object.entries(event.data.changes ?? {})) {
      const name = columnOf(table, field);
      if (name === undefined) continue;
      const { isMerged, store } = table.columns[name]!;
      set[name] = store(
        isMerged ? { ...(await stored(table, name, ids)), ...(value as object) } : value,
        event,
      );
    }
    set.changed_at = event.time;
    const names = Object.keys(set);
    await database.run(
      `UPDATE ${table.name} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${where(table.key)} AND ended_at IS NULL`,
      [...Object.values(set), ...Object.values(ids)],
    );
    if (!table.history?.columns.some((name) => names.includes(name))) return;
    const [row] = await database.all(
      `SELECT * FROM ${table.name} WHERE ${where(table.key)} AND ended_at IS NULL`,
      Object.values(ids),
    );
    if (!row) return;
    await closeHistory(table, row, event.time);
    await openHistory(table, row, event.time, false);
  }

  async function stored(table: RecordTable, column: string, ids: Row): Promise<object> {
    const sql = `SELECT ${column} FROM ${table.name} WHERE ${where(table.key)}`;
    const [row] = await database.all(sql, Object.values(ids));
    return JSON.parse((row?.[column] as string) ?? '{}');
  }

  async function end({ type, data, time }: End): Promise<void> {
    const rules = contract.rules(type).ends.filter(({ ofEvent }) => agrees(data, ofEvent));
    for (const rule of rules) {
      await noteOwner(type, rule, data);
      const table = ofKind.get(rule.kind);
      const condition = table && conditionOf(table, rule, data);
      if (!table || !condition) continue;
      // What others go with is ended one by one: projects, groups, issues.
      const alsoEnding = contract.isOfOne(rule) ? [] : typesEndingOthers(rule.kind, table);
      const rows =
        alsoEnding.length === 0
          ? []
          : await database.all(`SELECT * FROM ${table.name} WHERE ${condition.sql}`, condition.values);
      await endRows(table, condition, time);
      for (const row of rows)
        for (const own of alsoEnding) await end({ type: own, data: recordOf(table, row), time });
    }
  }

  /** Events that would have ended the record by itself, and others with it. */
  function typesEndingOthers(kind: string, table: RecordTable): string[] {
    const hasFields = (fields: Fields) =>
      Object.keys(fields).every((name) => columnOf(table, name) !== undefined);
    return contract
      .endsOne(kind)
      .map(({ type }) => type)
      .filter((type) =>
        contract.rules(type).ends.some((rule) => !contract.isOfOne(rule) && hasFields(rule.ofEvent)),
      );
  }

  interface Condition {
    sql: string;
    values: Value[];
  }

  /** Undefined where the table lacks a field of the rule, or the event its value. */
  function conditionOf(table: RecordTable, { match, ofRecord }: Ending, data: Fields): Condition | undefined {
    const wanted: [string, unknown][] = [
      ...Object.entries(match).map(([own, other]): [string, unknown] => [own, data[other]]),
      ...Object.entries(ofRecord),
    ];
    const parts = wanted.map(([field, value]) => ({ column: columnOf(table, field), value }));
    if (parts.some(({ column, value }) => column === undefined || value === null || value === undefined))
      return undefined;
    return {
      sql: `${where(parts.map(({ column }) => column!))} AND ended_at IS NULL`,
      values: parts.map(({ value }) => (typeof value === 'boolean' ? Number(value) : (value as Value))),
    };
  }

  async function endRows(
    { name, key, history }: RecordTable,
    { sql, values }: Condition,
    time: string,
  ): Promise<void> {
    if (history !== null) {
      const keys = key.join(', ');
      await database.run(
        `UPDATE ${history.name} SET valid_until = ? WHERE valid_until IS NULL AND (${keys}) IN (SELECT ${keys} FROM ${name} WHERE ${sql})`,
        [time, ...values],
      );
    }
    await database.run(`UPDATE ${name} SET ended_at = ?, changed_at = ? WHERE ${sql}`, [
      time,
      time,
      ...values,
    ]);
  }

  /** A record can be written down after the end of what it belongs to: both happened at the same time. */
  async function noteOwner(type: string, { kind, match }: Ending, data: Fields): Promise<void> {
    if (!contract.endsWith(kind).some((rule) => rule.type === type)) return;
    const ids = Object.values(match).map((field): [string, unknown] => [field, data[field]]);
    if (isUnnamed(ids)) return;
    const owner = ownerName(type, ids);
    await database.run('INSERT INTO replica_ended_owners VALUES (?) ON CONFLICT DO NOTHING', [owner]);
  }

  async function hasEndedOwner(kind: string, record: Fields): Promise<boolean> {
    for (const { type, ending } of contract.endsWith(kind)) {
      if (!agrees(record, ending.ofRecord)) continue;
      const ids = Object.entries(ending.match).map(([own, field]): [string, unknown] => [field, record[own]]);
      // A reaction to an issue belongs to no note, so no end of a note is its end.
      if (isUnnamed(ids)) continue;
      const owner = ownerName(type, ids);
      const found = await database.all('SELECT owner FROM replica_ended_owners WHERE owner = ?', [owner]);
      if (found.length > 0) return true;
    }
    return false;
  }

  async function closeHistory({ history, key }: RecordTable, row: Row, time: string): Promise<void> {
    if (history === null) return;
    await database.run(
      `UPDATE ${history.name} SET valid_until = ? WHERE ${where(key)} AND valid_until IS NULL`,
      [time, ...key.map((name) => row[name]!)],
    );
  }

  async function openHistory(table: RecordTable, row: Row, time: string, isOver: boolean): Promise<void> {
    if (table.history === null) return;
    const names = [...table.key, ...table.history.columns];
    await database.run(
      `INSERT INTO ${table.history.name} (${names.join(', ')}, valid_from, valid_until) VALUES (${names.map(() => '?').join(', ')}, ?, ?)`,
      [...names.map((name) => row[name]!), time, isOver ? time : null],
    );
  }

  return {
    async apply(event) {
      const { begins, changes } = contract.rules(event.type);
      for (const beginning of begins) await begin(event, beginning);
      for (const { kind } of changes) await change(event, kind);
      await end(event);
    },
  };
}

const where = (columns: readonly string[]): string => columns.map((name) => `${name} = ?`).join(' AND ');

function keyOf({ key, columns }: RecordTable, data: Fields): Row {
  return Object.fromEntries(key.map((name) => [name, data[columns[name]!.field!] ?? null]));
}

const isUnnamed = (ids: readonly [field: string, value: unknown][]): boolean =>
  ids.some(([, value]) => value === null || value === undefined);

const ownerName = (type: string, ids: readonly [field: string, value: unknown][]): string =>
  `${type} ${ids.map((id) => id.join('=')).join(' ')}`;
