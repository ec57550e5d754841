import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Forgelog } from '../support/forgelog.ts';

/** What a refused request must leave as it was: the head of the log, and every file of every repository. */
export interface Snapshot {
  head: string;
  repositories: string[];
}

export async function snapshot(forgelog: Forgelog): Promise<Snapshot> {
  return { head: await idleHead(forgelog), repositories: filesOf(forgelog) };
}

/** Runs what must change nothing, and holds it to that. */
export async function unchanged<T>(forgelog: Forgelog, work: () => Promise<T>): Promise<T> {
  const before = await snapshot(forgelog);
  const result = await work();
  expect(await snapshot(forgelog)).toEqual(before);
  return result;
}

async function idleHead(forgelog: Forgelog): Promise<string> {
  // What follows from earlier changes is no consequence of what comes now.
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  return forgelog.system.store.head();
}

interface Folder {
  changedAt: bigint;
  folders: string[];
  files: string[];
}

/** Folders as they were last read: reading one takes ten times as long as asking when it changed. */
const read = new WeakMap<Forgelog, Map<string, Folder>>();

/** Clocks of file systems tick seldom: what changed just now may change again at the same time. */
const TICK_NS = 50_000_000n;

/** Each file with its size and the time of its last change. */
function filesOf(forgelog: Forgelog): string[] {
  const known = read.get(forgelog) ?? new Map<string, Folder>();
  read.set(forgelog, known);
  const files: string[] = [];
  addFiles(join(forgelog.dataDir, 'repositories'), known, files);
  return files.sort();
}

function addFiles(path: string, known: Map<string, Folder>, into: string[]): void {
  const changedAt = statSync(path, { throwIfNoEntry: false, bigint: true })?.mtimeNs;
  if (changedAt === undefined) return;
  let folder = known.get(path);
  if (folder?.changedAt !== changedAt) {
    folder = { changedAt, folders: [], files: [] };
    for (const entry of readdirSync(path, { withFileTypes: true }))
      folder[entry.isDirectory() ? 'folders' : 'files'].push(`${path}/${entry.name}`);
    if (BigInt(Date.now()) * 1_000_000n - changedAt > TICK_NS) known.set(path, folder);
    else known.delete(path);
  }
  for (const name of folder.files) {
    const file = statSync(name, { throwIfNoEntry: false });
    if (file) into.push(`${name} ${file.size} ${file.mtimeMs}`);
  }
  for (const name of folder.folders) addFiles(name, known, into);
}
