/** Finds the commit of each line of a file. */
import { type File, readFileAt } from '../objects/blob-reader.ts';
import { type Commit, parseCommit } from '../objects/commit-object.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { decodeText, splitBytes } from '../text.ts';

/** Consecutive lines of one commit, without line ends. */
export interface BlameRange {
  commit: Commit;
  lines: string[];
}
export interface Blame {
  file: File;
  ranges: BlameRange[];
}

/** Bytes of the largest file. The cost grows with its lines and history. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Ranges in file order; undefined if there is no such file. @throws ObjectTooLargeError above 8 MiB */
export async function blame(
  context: RepositoryContext,
  commitOid: string,
  path: string,
  signal?: AbortSignal,
): Promise<Blame | undefined> {
  const file = await readFileAt(context, commitOid, path, MAX_BYTES);
  if (!file) return undefined;
  const args = ['blame', '--incremental', commitOid, '--', file.path];
  const { stdout } = await context.runner.capture(context, args, { weight: 'walk', signal });
  const groups = parseGroups(stdout);
  const lines = splitBytes(file.content, 10);

  const commits = new Map<string, Commit>();
  for (const { oid } of groups) {
    if (!commits.has(oid)) commits.set(oid, parseCommit(oid, await context.objects.need(oid, 'commit')));
  }
  const ranges: BlameRange[] = [];
  for (const { oid, start, count } of groups) {
    const texts = lines.slice(start - 1, start - 1 + count).map(decodeText);
    const last = ranges.at(-1);
    if (last?.commit.id === oid) last.lines.push(...texts);
    else ranges.push({ commit: commits.get(oid)!, lines: texts });
  }
  return { file, ranges };
}

interface Group {
  oid: string;
  start: number;
  count: number;
}

/** Sorts git's groups by line. Uses only their first lines; the rest describes commits. */
function parseGroups(output: Buffer): Group[] {
  const groups: Group[] = [];
  for (const line of output.toString('latin1').split('\n')) {
    const match = /^([0-9a-f]{40}) \d+ (\d+) (\d+)$/.exec(line);
    if (match) groups.push({ oid: match[1]!, start: Number(match[2]), count: Number(match[3]) });
  }
  return groups.sort((a, b) => a.start - b.start);
}
