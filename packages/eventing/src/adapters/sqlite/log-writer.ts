import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ExpectedRevision } from '../../event-store.ts';
import { LIMIT } from './limit-sql.ts';
import { COLUMNS, type RawEvent, SCHEMA, toRow } from './log-format.ts';
import { isConstraint } from './sqlite-errors.ts';

export interface Append {
  request: number;
  stream: string;
  expected: ExpectedRevision;
  events: RawEvent[];
}

/** The outcome of an append; `repeated` means an earlier attempt stored it. */
export type Answer =
  | { request: number; outcome: 'stored' | 'repeated'; firstPosition: number; firstRevision: number }
  | { request: number; outcome: 'wrong-revision'; actual: number | null }
  | { request: number; outcome: 'duplicate-id' | 'unavailable'; message: string };

export interface LogWriterOptions {
  path: string;
  /** OFF loses durability; it exists to measure what durability costs. */
  synchronous: 'FULL' | 'OFF';
  /** Bounds the file, in pages of 4 KB; beyond it appends fail as on a full disk. */
  maxPages?: number;
}

/** Writes groups of appends, with one transaction and one sync per group. Lives in the writer thread. */
export class LogWriter {
  readonly #options: LogWriterOptions;
  #open: OpenLog | null;
  head: number;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#open = openLog(options);
    this.head = this.#open.head();
  }

  /** A refused append leaves no trace and does not affect the others. If the file fails, a second look decides. */
  write(appends: readonly Append[]): Answer[] {
    try {
      const log = this.#open ?? this.#reopen();
      log.db.exec('BEGIN IMMEDIATE');
      let { head } = this;
      const answers = appends.map((append) => {
        const answer = log.append(append, head + 1);
        if (answer.outcome === 'stored') head += append.events.length;
        return answer;
      });
      log.db.exec('COMMIT');
      this.head = head;
      return answers;
    } catch (error) {
      return this.#afterFailure(appends, error as Error);
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#open.db.close();
    this.#open = null;
  }

  /** A failed commit may be in the file, and after a failed sync the connection's cache cannot be trusted. */
  #afterFailure(appends: readonly Append[], failure: Error): Answer[] {
    const unavailable = (append: Append): Answer => ({
      request: append.request,
      outcome: 'unavailable',
      message: failure.message,
    });
    const { head } = this;
    try {
      const log = this.#reopen();
      return appends.map((append) => {
        const found = log.repeated(append);
        if (!found) return unavailable(append);
        return { ...found, outcome: found.firstPosition > head ? 'stored' : 'repeated' };
      });
    } catch {
      return appends.map(unavailable);
    }
  }

  #reopen(): OpenLog {
    try {
      this.#open?.db.close();
    } catch {
      // It is replaced anyway.
    }
    this.#open = null;
    const log = openLog(this.#options);
    const [checkpoint] = log.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    if (checkpoint?.busy) throw new Error('the write-ahead log is in use');
    this.#open = log;
    this.head = log.head();
    return log;
  }
}

interface OpenLog {
  db: DatabaseSync;
  head(): number;
  append(append: Append, position: number): Answer;
  /** The earlier answer, if the stream holds exactly these events at this place. */
  repeated(append: Append): Extract<Answer, { outcome: 'stored' | 'repeated' }> | null;
}

export function openLog({ path, synchronous, maxPages }: LogWriterOptions): OpenLog {
  const db = new DatabaseSync(path, { timeout: 5000 });
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous === 'OFF' ? 'OFF' : 'FULL'}`);
  if (maxPages) db.exec(`PRAGMA max_page_count = ${Math.trunc(maxPages)}`);
  db.exec(SCHEMA);
  const array = (sql: string): StatementSync => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const insert = db.prepare(`INSERT INTO events (${COLUMNS}) VALUES (${'?, '.repeat(9)}?)`);
  const head = array('SELECT max(position) FROM events');
  const revision = array('SELECT max(revision) FROM events WHERE stream = ?');
  const undo = db.prepare('DELETE FROM events WHERE position >= ?');
  const held = array(
    `SELECT id, position FROM events WHERE stream = ? AND revision >= ? ORDER BY revision ${LIMIT}`,
  );
  const one = (statement: StatementSync, ...parameters: string[]): number | null =>
    (statement.get(...parameters) as unknown as [number | null])[0];

  const log: OpenLog = {
    db,
    head: () => one(head) ?? 0,

    append(append, position) {
      const { request, stream, expected, events } = append;
      const actual = one(revision, stream);
      const first = expected === 'no-stream' ? 0 : expected + 1;
      if (first !== (actual === null ? 0 : actual + 1))
        return log.repeated(append) ?? { request, outcome: 'wrong-revision', actual };
      try {
        for (const [index, event] of events.entries())
          insert.run(...toRow(position + index, stream, first + index, event));
      } catch (error) {
        if (!isConstraint(error)) throw error;
        // Cheaper than a savepoint around every append, and equivalent: only this append's rows have such positions.
        undo.run(position);
        return {
          request,
          outcome: 'duplicate-id',
          message: `an event id of ${stream} is in the log already`,
        };
      }
      return { request, outcome: 'stored', firstPosition: position, firstRevision: first };
    },

    repeated({ request, stream, expected, events }) {
      const firstRevision = expected === 'no-stream' ? 0 : expected + 1;
      const rows = held.all(stream, firstRevision, events.length) as unknown as [string, number][];
      const same = rows.length === events.length && rows.every(([id], index) => id === events[index]?.id);
      const firstPosition = rows[0]?.[1];
      return same && firstPosition !== undefined
        ? { request, outcome: 'repeated', firstPosition, firstRevision }
        : null;
    },
  };
  return log;
}
