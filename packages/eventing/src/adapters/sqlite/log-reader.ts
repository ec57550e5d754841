import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { RecordedEvent } from '../../event.ts';
import { CorruptLogError } from '../../event-store.ts';
import { LIMIT } from './limit-sql.ts';
import { COLUMNS, checkRow, fromRow, type Row } from './log-format.ts';
import { isDamage } from './sqlite-errors.ts';

/** Reads and verifies rows through a connection of its own, so that readers never wait for the writer. */
export class LogReader {
  readonly #db: DatabaseSync;
  readonly #stream: StatementSync;
  readonly #all: StatementSync;
  readonly #project: StatementSync;
  readonly #end: StatementSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    this.#stream = this.#db.prepare(
      `SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision ${LIMIT}`,
    );
    this.#all = this.#db.prepare(
      `SELECT ${COLUMNS} FROM events WHERE position > ? ORDER BY position ${LIMIT}`,
    );
    this.#project = this.#db.prepare(
      `SELECT ${COLUMNS} FROM events WHERE data ->> '$.projectId' = ? AND position > ? AND position <= ?
        ORDER BY position ${LIMIT}`,
    );
    this.#end = this.#db.prepare(`SELECT ${COLUMNS} FROM events ORDER BY position DESC LIMIT 1`);
    for (const statement of [this.#stream, this.#all, this.#project, this.#end])
      statement.setReturnArrays(true);
  }

  readStream(stream: string, fromRevision: number, limit: number): RecordedEvent[] {
    const rows = run(this.#stream, stream, fromRevision, limit);
    const broken = rows.findIndex((row, index) => row[2] !== fromRevision + index);
    if (broken >= 0) throw new CorruptLogError(`stream ${stream} misses revision ${fromRevision + broken}`);
    return rows.map(fromRow);
  }

  readAll(after: number, limit: number): RecordedEvent[] {
    return this.#rowsAfter(after, limit).map(fromRow);
  }

  readRows(after: number, limit: number): Row[] {
    return this.#rowsAfter(after, limit).map(checkRow);
  }

  #rowsAfter(after: number, limit: number): Row[] {
    const rows = run(this.#all, after, limit);
    const broken = rows.findIndex((row, index) => row[0] !== after + 1 + index);
    if (broken >= 0) throw new CorruptLogError(`the log misses position ${after + 1 + broken}`);
    return rows;
  }

  head(): number {
    return (run(this.#end)[0]?.[0] as number | undefined) ?? 0;
  }

  readProject(projectId: number, after: number, upTo: number, limit: number): RecordedEvent[] {
    return run(this.#project, projectId, after, upTo, limit).map(fromRow);
  }

  close(): void {
    this.#db.close();
  }
}

function run(statement: StatementSync, ...parameters: (string | number)[]): Row[] {
  try {
    return statement.all(...parameters) as unknown as Row[];
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    throw new CorruptLogError('the event log is damaged', { cause });
  }
}
