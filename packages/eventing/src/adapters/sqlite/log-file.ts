import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { COLUMNS, checkRow, type Row, SCHEMA } from './log-format.ts';

export interface LogFile {
  /** @throws CorruptLogError for a damaged row */
  add(rows: readonly Row[]): void;
  /** Removes the last events, down to the end of an append, where `next` belongs to the same append as they do. */
  endBefore(next: Row): void;
  last(): Row | undefined;
  close(): void;
}

/** Makes a new log file. A kill before `close` leaves one that nobody must open. */
export function createLogFile(path: string): LogFile {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${SCHEMA}`);
  const insert = db.prepare(`INSERT INTO events (${COLUMNS}) VALUES (${'?, '.repeat(9)}?)`);
  const end = db.prepare(`SELECT ${COLUMNS} FROM events ORDER BY position DESC LIMIT 1`);
  end.setReturnArrays(true);
  const remove = db.prepare('DELETE FROM events WHERE position = ?');
  const last = () => end.get() as unknown as Row | undefined;
  return {
    add(rows) {
      db.exec('BEGIN');
      for (const row of rows) insert.run(...checkRow(row));
      db.exec('COMMIT');
    },
    endBefore(next) {
      for (let row = last(); row && isOfOneAppend(row, next); row = last()) remove.run(row[0]);
    },
    last,
    close() {
      db.exec('PRAGMA journal_mode = WAL');
      db.close();
      const file = openSync(path, 'r+');
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/** Events of one append share stream, time and metadata, and nothing is between them. */
function isOfOneAppend(one: Row, other: Row): boolean {
  const [, stream, , , , , time, , metadata] = one;
  return stream === other[1] && time === other[6] && metadata === other[8];
}
