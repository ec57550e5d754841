/** What git knows by heart of a history: parents, trees and times of its commits, without unpacking them. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunOptions } from '../process/git-runner.ts';
import type { RepositoryContext } from '../repository-context.ts';

/**
 * Adds what refs reach and the graph lacks. Only a help: where git cannot walk the history, it goes on without. One at a
 * time in a repository.
 */
export async function writeCommitGraph(context: RepositoryContext, run: RunOptions): Promise<void> {
  const folder = join(context.gitDir, 'objects/info/commit-graphs');
  await removeRests(folder); // of one that was killed: its lock would stop every later one
  const args = ['commit-graph', 'write', '--reachable', '--split', '--no-progress'];
  try {
    await context.runner.capture(context, args, { ...run, codes: [0, 1, 128] });
  } catch (error) {
    await removeRests(folder);
    throw error;
  }
}

/** Of a killed writer. */
const isGraphRest = (name: string): boolean => /^tmp_graph_|\.lock$/.test(name);

async function removeRests(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isGraphRest)) await rm(join(folder, name), { force: true });
}
