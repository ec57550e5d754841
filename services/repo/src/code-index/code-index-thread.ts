import { DatabaseSync } from 'node:sqlite';
import { parseTree } from '@forgelog/git/trees/tree-listing.ts';
import { codeQuery } from '../search/code-query.rules.ts';
import { removeCodeIndex } from './code-index-file.ts';
import { gramsOf } from './grams.ts';

/** A file as it is indexed. Without content, of what is binary or large, its path alone is found. */
export interface IndexedFile {
  path: string;
  oid: string;
  text: string | null;
}

export interface Candidate {
  projectId: number;
  path: string;
  oid: string;
}

interface Tasks {
  /** The commits that are indexed, by project; null for a project that is being filled. */
  heads(asked: object): [projectId: number, oid: string | null][];
  /** undefined where nothing is indexed. */
  head(asked: { projectId: number }): string | null | undefined;
  /** Applies a small change at once. */
  change(asked: {
    projectId: number;
    from: string;
    to: string;
    removed: string[];
    files: IndexedFile[];
  }): boolean;
  /** Begins to bring a project to what a tree holds: removes what it has not, and tells what is missing. */
  begin(asked: { projectId: number; listing: Uint8Array }): { path: string; oid: string }[];
  add(asked: { projectId: number; files: IndexedFile[] }): void;
  end(asked: { projectId: number; oid: string }): void;
  forget(asked: { projectId: number }): void;
  /** Files of a commit that may have the text, by path; null where the index is not at that commit. */
  candidates(asked: { projectId: number; oid: string; search: string }): Candidate[] | null;
  /** The same of projects, null for all after one, as they are indexed. */
  across(asked: { projectIds: number[] | null; after: number; search: string }): Candidate[];
}

export type TaskOf<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0] & { file: string };
export type TaskResult<Name extends keyof Tasks> = ReturnType<Tasks[Name]>;
export type TaskName = keyof Tasks;

/** Keys of a project's files lie together: their bounds keep other projects out of the walk through the trigrams. */
const SPAN = 2 ** 23;
/** Changed with the tables: another version begins anew. */
const VERSION = 1;
/** Files that may have the text; what is beyond them is not looked at. */
const MOST_CANDIDATES = 10_000;
const MOST_ACROSS = 2_000;

let opened: { file: string; db: DatabaseSync } | undefined;

function database(file: string): DatabaseSync {
  if (opened?.file === file) return opened.db;
  opened?.db.close();
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;');
  const [{ user_version: version }] = db.prepare('PRAGMA user_version').all() as [{ user_version: number }];
  if (version !== VERSION) {
    db.exec(`
      BEGIN IMMEDIATE;
      DROP TABLE IF EXISTS heads; DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS grams;
      CREATE TABLE heads (project INTEGER PRIMARY KEY, oid TEXT) STRICT;
      CREATE TABLE files (id INTEGER PRIMARY KEY, project INTEGER NOT NULL, path TEXT NOT NULL, oid TEXT NOT NULL) STRICT;
      CREATE UNIQUE INDEX files_by_path ON files (project, path);
      CREATE VIRTUAL TABLE grams USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='trigram');
      PRAGMA user_version = ${VERSION};
      COMMIT;`);
  }
  opened = { file, db };
  return db;
}

function atomically<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

const headOf = (db: DatabaseSync, projectId: number) =>
  (db.prepare('SELECT oid FROM heads WHERE project = ?').get(projectId) as { oid: string | null } | undefined)
    ?.oid;

const putHead = (db: DatabaseSync, projectId: number, oid: string | null) =>
  db
    .prepare('INSERT INTO heads VALUES (?, ?) ON CONFLICT DO UPDATE SET oid = excluded.oid')
    .run(projectId, oid);

function remove(db: DatabaseSync, projectId: number, paths: readonly string[]): void {
  const find = db.prepare('SELECT id FROM files WHERE project = ? AND path = ?');
  const dropGrams = db.prepare('DELETE FROM grams WHERE rowid = ?');
  const drop = db.prepare('DELETE FROM files WHERE id = ?');
  for (const path of paths) {
    const found = find.get(projectId, path) as { id: number } | undefined;
    if (!found) continue;
    dropGrams.run(found.id);
    drop.run(found.id);
  }
}

function put(db: DatabaseSync, projectId: number, files: readonly IndexedFile[]): void {
  remove(
    db,
    projectId,
    files.map(({ path }) => path),
  );
  const first = projectId * SPAN;
  const last = db
    .prepare('SELECT max(id) AS id FROM files WHERE id BETWEEN ? AND ?')
    .get(first, first + SPAN - 1);
  let id = (last as { id: number | null }).id ?? first - 1;
  const file = db.prepare('INSERT INTO files VALUES (?, ?, ?, ?)');
  const grams = db.prepare('INSERT INTO grams (rowid, text) VALUES (?, ?)');
  for (const { path, oid, text } of files) {
    id += 1;
    if (id >= first + SPAN) throw new Error(`project ${projectId} has too many files for the index of code`);
    file.run(id, projectId, path, oid);
    grams.run(id, `${path}\n${text ?? ''}`.toLowerCase());
  }
}

/** Trigrams narrow what is looked at: in one file they may be apart, so each file is read before it counts as found. */
function likely(db: DatabaseSync, search: string, from: number, to: number, most: number): Candidate[] {
  const { text, accepts } = codeQuery(search);
  const grams = gramsOf(text);
  const rows = (
    grams === null
      ? db
          .prepare('SELECT project, path, oid FROM files WHERE id BETWEEN ? AND ? ORDER BY id')
          .iterate(from, to)
      : db
          .prepare(
            `SELECT f.project, f.path, f.oid FROM grams g JOIN files f ON f.id = g.rowid
             WHERE g.grams MATCH ? AND g.rowid BETWEEN ? AND ? ORDER BY g.rowid`,
          )
          .iterate(grams, from, to)
  ) as Iterable<{ project: number; path: string; oid: string }>;
  const found: Candidate[] = [];
  for (const { project: projectId, path, oid } of rows) {
    if (!accepts(path)) continue;
    found.push({ projectId, path, oid });
    if (found.length === most) break;
  }
  return found;
}

const tasks: { [Name in TaskName]: (task: TaskOf<Name>) => TaskResult<Name> } = {
  heads({ file }) {
    const rows = database(file).prepare('SELECT project, oid FROM heads').all();
    return (rows as { project: number; oid: string | null }[]).map(({ project, oid }) => [project, oid]);
  },
  head: ({ file, projectId }) => headOf(database(file), projectId),
  change({ file, projectId, from, to, removed, files }) {
    const db = database(file);
    return atomically(db, () => {
      if (headOf(db, projectId) !== from) return false;
      remove(db, projectId, removed);
      put(db, projectId, files);
      putHead(db, projectId, to);
      return true;
    });
  },
  begin({ file, projectId, listing }) {
    const db = database(file);
    return atomically(db, () => {
      putHead(db, projectId, null);
      const rows = db.prepare('SELECT path, oid FROM files WHERE project = ?').all(projectId);
      const there = new Map((rows as { path: string; oid: string }[]).map(({ path, oid }) => [path, oid]));
      const missing: { path: string; oid: string }[] = [];
      for (const { path, oid } of parseTree(listing)) {
        if (there.get(path) !== oid) missing.push({ path, oid });
        there.delete(path);
      }
      remove(db, projectId, [...there.keys()]);
      return missing;
    });
  },
  add({ file, projectId, files }) {
    const db = database(file);
    atomically(db, () => put(db, projectId, files));
  },
  end({ file, projectId, oid }) {
    putHead(database(file), projectId, oid);
  },
  forget({ file, projectId }) {
    const db = database(file);
    atomically(db, () => {
      const first = projectId * SPAN;
      db.prepare('DELETE FROM grams WHERE rowid IN (SELECT id FROM files WHERE id BETWEEN ? AND ?)').run(
        first,
        first + SPAN - 1,
      );
      db.prepare('DELETE FROM files WHERE id BETWEEN ? AND ?').run(first, first + SPAN - 1);
      db.prepare('DELETE FROM heads WHERE project = ?').run(projectId);
    });
  },
  candidates({ file, projectId, oid, search }) {
    const db = database(file);
    // One look at both: another thread may write meanwhile.
    db.exec('BEGIN');
    try {
      if (headOf(db, projectId) !== oid) return null;
      const first = projectId * SPAN;
      return likely(db, search, first, first + SPAN - 1, MOST_CANDIDATES);
    } finally {
      db.exec('COMMIT');
    }
  },
  across({ file, projectIds, after, search }) {
    const db = database(file);
    const found: Candidate[] = [];
    if (projectIds === null)
      found.push(...likely(db, search, (after + 1) * SPAN, Number.MAX_SAFE_INTEGER, MOST_ACROSS));
    for (const id of projectIds ?? []) {
      if (found.length >= MOST_ACROSS) break;
      found.push(...likely(db, search, id * SPAN, (id + 1) * SPAN - 1, MOST_ACROSS - found.length));
    }
    if (found.length < MOST_ACROSS) return found;
    // Projects are told whole, since the next look begins with another; of a single one there are no more.
    const cut = found.at(-1)!.projectId;
    const whole = found.filter(({ projectId }) => projectId !== cut);
    return whole.length > 0 ? whole : found;
  },
};

/** Runs in a thread of its own, which alone waits for the disk. */
export default <Name extends TaskName>([name, task]: [Name, TaskOf<Name>]): TaskResult<Name> => {
  try {
    return tasks[name](task);
  } catch (error) {
    if (!isDamage(error)) throw error;
    // What follows from repositories is made again.
    opened?.db.close();
    opened = undefined;
    removeCodeIndex(task.file);
    return tasks[name](task);
  }
};

const DAMAGED = new Set([11, 26]);
const isDamage = (error: unknown): boolean => DAMAGED.has((error as { errcode?: number }).errcode! & 0xff);
