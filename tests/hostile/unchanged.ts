import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Forgelog } from '../support/forgelog.ts';

/** What a refused request must leave as it was: the head of the log, and every file of every repository. */
export interface Snapshot {
  head: string;
  repositories: string[];
}

export async function snapshot(forgelog: Forgelog): Promise<Snapshot> {
  // What follows from earlier changes is no consequence of what comes now.
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  return {
    head: await forgelog.system.store.head(),
    repositories: filesBelow(join(forgelog.dataDir, 'repositories')).sort(),
  };
}

/** Runs what must change nothing, and holds it to that. */
export async function unchanged<T>(forgelog: Forgelog, work: () => Promise<T>): Promise<T> {
  const before = await snapshot(forgelog);
  const result = await work();
  expect(await snapshot(forgelog)).toEqual(before);
  return result;
}

/** Each file with its size and the time of its last change. One by one, as `recursive` takes twice the time. */
function filesBelow(folder: string, files: string[] = []): string[] {
  for (const entry of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) filesBelow(path, files);
    else {
      const file = statSync(path, { throwIfNoEntry: false });
      if (file) files.push(`${path} ${file.size} ${file.mtimeMs}`);
    }
  }
  return files;
}
