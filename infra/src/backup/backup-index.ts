import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** A file of the data folder, as a backup has it. */
export interface SavedFile {
  path: string;
  size: number;
  /** In milliseconds. With path and size it says that a file is unchanged. */
  modified: number;
  inode: number;
  sha256: string;
}

export interface SavedSegment {
  first: number;
  last: number;
  lastId: string;
  uncompressed: number;
  sha256: string;
  size: number;
}

/** The list of a backup: which bytes are which file, and which part of the log. A run writes a new list. */
export interface BackupIndex {
  file(path: string): SavedFile | undefined;
  /** The bytes of a file that has several names, as packs of forks have, if one of them is known. */
  twin(file: Omit<SavedFile, 'path' | 'sha256'>): string | undefined;
  save(file: SavedFile): void;
  /** Lists as gone what this run has not seen, and leaves out what was gone before `forgotten`. */
  endRun(now: Date, forgotten: Date): void;
  /**
   * Files below a folder, in the order of their names.
   * @param there leaves out those that were gone at this time
   */
  below(folder: string, there?: Date): Iterable<SavedFile>;
  repositories(there?: Date): string[];
  isShared(sha256: string): boolean;
  needs(sha256: string): boolean;
  segments(): SavedSegment[];
  addSegment(segment: SavedSegment): void;
  cutSegments(first: number): void;
  /** Equal bytes count once. */
  totals(): { files: number; bytes: number };
  /** On disk once this returns, if it was opened for a run. */
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    seen INTEGER NOT NULL,
    gone TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS files_by_inode ON files (inode, size, modified);
  CREATE INDEX IF NOT EXISTS files_by_content ON files (sha256);
  CREATE TABLE IF NOT EXISTS segments (
    first INTEGER PRIMARY KEY,
    last INTEGER NOT NULL,
    lastId TEXT NOT NULL,
    uncompressed INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    size INTEGER NOT NULL
  ) STRICT`;
const FILE = 'path, size, modified, inode, sha256';
const THERE = '(gone IS NULL OR gone > ?)';
const ALWAYS = new Date(0);
const PAGE = 1000;

/** @param options.run the number of the run that writes it; without one it is only read */
export function openBackupIndex(path: string, { run }: { run?: number } = {}): BackupIndex {
  const db = new DatabaseSync(path, { readOnly: run === undefined });
  // A list that a kill leaves half is named by no manifest.
  if (run !== undefined) db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${SCHEMA}; BEGIN`);
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const sql = (text: string) => {
    const found = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, found);
    return found;
  };
  const one = <T>(text: string, ...given: SQLInputValue[]) => sql(text).get(...given) as T | undefined;
  return {
    file: (name) => one<SavedFile>(`SELECT ${FILE} FROM files WHERE path = ?`, name),
    twin: ({ inode, size, modified }) =>
      one<SavedFile>(
        'SELECT sha256 FROM files WHERE inode = ? AND size = ? AND modified = ?',
        inode,
        size,
        modified,
      )?.sha256,
    save: ({ path: name, size, modified, inode, sha256 }) =>
      void sql(`INSERT OR REPLACE INTO files (${FILE}, seen, gone) VALUES (?, ?, ?, ?, ?, ?, NULL)`).run(
        ...[name, size, modified, inode, sha256, run ?? 0],
      ),
    endRun(now, forgotten) {
      sql('UPDATE files SET gone = ? WHERE seen < ? AND gone IS NULL').run(now.toISOString(), run ?? 0);
      sql('DELETE FROM files WHERE gone < ?').run(forgotten.toISOString());
    },
    *below(folder, there = ALWAYS) {
      const page = `SELECT ${FILE} FROM files WHERE path > ? AND path < ? AND ${THERE} ORDER BY path LIMIT ${PAGE}`;
      for (let after = `${folder}/`; ; ) {
        // '0' follows '/'.
        const found = sql(page).all(after, `${folder}0`, there.toISOString()) as unknown as SavedFile[];
        yield* found;
        if (found.length < PAGE) return;
        after = found.at(-1)!.path;
      }
    },
    repositories: (there = ALWAYS) =>
      sql(
        `SELECT DISTINCT substr(path, 1, instr(path, '.git/') + 3) AS folder FROM files
          WHERE path > 'repositories/' AND path < 'repositories0' AND ${THERE}`,
      )
        .all(there.toISOString())
        .map(({ folder }) => folder as string),
    isShared: (sha256) =>
      one<{ n: number }>('SELECT count(*) AS n FROM (SELECT 1 FROM files WHERE sha256 = ? LIMIT 2)', sha256)
        ?.n === 2,
    needs: (sha256) =>
      one(
        'SELECT 1 FROM files WHERE sha256 = ?1 UNION ALL SELECT 1 FROM segments WHERE sha256 = ?1',
        sha256,
      ) !== undefined,
    segments: () =>
      sql('SELECT * FROM segments ORDER BY first')
        .all()
        .map((row) => ({ ...row }) as unknown as SavedSegment),
    addSegment: ({ first, last, lastId, uncompressed, sha256, size }) =>
      void sql('INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?)').run(
        ...[first, last, lastId, uncompressed, sha256, size],
      ),
    cutSegments: (first) => void sql('DELETE FROM segments WHERE first >= ?').run(first),
    totals: () =>
      one<{ files: number; bytes: number }>(
        `SELECT (SELECT count(*) FROM files) AS files, coalesce(sum(size), 0) AS bytes
          FROM (SELECT sha256, size FROM files UNION SELECT sha256, size FROM segments)`,
      )!,
    close() {
      if (run !== undefined) db.exec('COMMIT');
      db.close();
      if (run === undefined) return;
      const file = openSync(path, 'r+');
      fsyncSync(file);
      closeSync(file);
    },
  };
}
