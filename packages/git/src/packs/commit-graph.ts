/** git's commit graph: parents, trees and times of commits, readable without unpacking them. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunOptions } from '../process/git-runner.ts';
import type { RepositoryContext } from '../repository-context.ts';

/** Adds the reachable commits that the graph lacks. An optimisation: a damaged history is left without. One at a time. */
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

/** Left by a killed writer. */
const isGraphRest = (name: string): boolean => /^tmp_graph_|\.lock$/.test(name);

async function removeRests(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isGraphRest)) await rm(join(folder, name), { force: true });
}
