import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  eachObjectFile,
  ifMissing,
  isThere,
  repositoryFolder,
  repositoryFolders,
  storedObjects,
} from './data-folder-files.ts';
import type { LogSource } from './log-source.ts';
import type { Progress } from './progress.ts';
import type { FileSaver } from './save-files.ts';

/** More rounds are needed only where projects are deleted while a backup is taken, each time another one. */
const MOST_ROUNDS = 20;
const BATCH = 1000;
/** Weeks of records at most, so it is copied whole. */
const ACCESS_LOG = 'access.db';

/**
 * Saves a data folder, and the log up to a position at which everything that it names is saved. Returns the position, 0
 * without a log.
 */
export async function saveDataFolder(given: {
  dataDir: string;
  folder: string;
  saver: FileSaver;
  source: LogSource | undefined;
  progress: Progress;
}): Promise<number> {
  const { dataDir, folder, saver, source } = given;
  const begin = source?.head() ?? 0;
  for await (const path of repositoryFolders(dataDir)) await saver.repository(path);
  await saveObjects(dataDir, saver);
  const position = source ? await followLog(source, begin, given) : 0;
  // Most was saved before: an artifact that expires now is kept.
  if (source) await saveObjects(dataDir, saver);
  await saveAccessLog(dataDir, folder, saver);
  return position;
}

/**
 * Saves the log, and again the repositories that changed meanwhile. One of them may be gone by then; its end is later in
 * the log, so the log is saved up to there, and so on.
 */
async function followLog(
  source: LogSource,
  begin: number,
  { saver, progress }: { saver: FileSaver; progress: Progress },
): Promise<number> {
  const missing = new Set<number>();
  let since = begin;
  for (let rounds = 1; ; rounds += 1) {
    const upTo = source.head();
    progress.step(`the log, up to ${upTo}`);
    const { changed, ended } = await source.save(upTo, since);
    for (const id of ended) {
      missing.delete(id);
      changed.delete(id);
    }
    for (const id of new Set([...missing, ...changed])) {
      if (await saver.repository(repositoryFolder(id))) missing.delete(id);
      else missing.add(id);
    }
    if (missing.size === 0) return upTo;
    if (rounds === MOST_ROUNDS) {
      for (const id of missing)
        progress.note(`The repository of project ${id} is not there: it is not saved.`);
      return upTo;
    }
    since = upTo;
  }
}

async function saveObjects(dataDir: string, saver: FileSaver): Promise<void> {
  let paths: string[] = [];
  for await (const path of storedObjects(dataDir)) {
    if (paths.push(path) < BATCH) continue;
    await saver.files(paths);
    paths = [];
  }
  await saver.files(paths);
}

async function saveAccessLog(dataDir: string, folder: string, saver: FileSaver): Promise<void> {
  if (!(await isThere(join(dataDir, ACCESS_LOG)))) return;
  const copy = join(folder, 'incoming', ACCESS_LOG);
  await mkdir(join(folder, 'incoming'), { recursive: true, mode: 0o700 });
  await rm(copy, { force: true });
  const db = new DatabaseSync(join(dataDir, ACCESS_LOG), { readOnly: true, timeout: 5000 });
  try {
    db.prepare('VACUUM INTO ?').run(copy);
  } finally {
    db.close();
  }
  await saver.copyOf(ACCESS_LOG, copy);
}

/** The bytes that a run has to write at most, by what the data folder has now. */
export async function dueBytes(
  dataDir: string,
  saver: FileSaver,
  source: LogSource | undefined,
): Promise<number> {
  let bytes = 0;
  const count = async (paths: readonly string[]) => {
    bytes += await saver.due(paths);
  };
  for await (const path of repositoryFolders(dataDir)) await eachObjectFile(dataDir, path, count);
  for await (const path of storedObjects(dataDir)) await count([path]);
  for (const name of source ? ['events.db', ACCESS_LOG] : []) {
    const { size = 0 } = (await stat(join(dataDir, name)).catch(ifMissing)) ?? {};
    bytes += name === ACCESS_LOG ? size : size * source!.unsaved();
  }
  return Math.ceil(bytes);
}
