/** Looks for a text in the files of a tree. */
import type { RepositoryContext } from '../repository-context.ts';
import { entryAt } from './tree-reader.ts';

/** About 300,000 files. */
const MAX_BYTES = 32 * 1024 * 1024;
const ENTRY = /^100\d{3} blob ([0-9a-f]+)\t([\s\S]*)$/;

export interface TreeFile {
  path: string;
  oid: string;
}

/** The regular files of a commit, by path; a listing that is too long is cut. */
export async function listFiles(context: RepositoryContext, commitOid: string): Promise<TreeFile[]> {
  const { oid } = (await entryAt(context, commitOid, ''))!;
  const args = ['ls-tree', '-r', '-z', '--full-tree', oid];
  const { stdout } = await context.runner.capture(context, args, { weight: 'walk', maxBytes: MAX_BYTES });
  const files: TreeFile[] = [];
  for (const line of stdout.toString().split('\0')) {
    const [, oid, path] = ENTRY.exec(line) ?? [];
    if (oid !== undefined) files.push({ oid, path: path! });
  }
  return files;
}

/**
 * Paths of the files of a commit with a line that holds the text, in any case of its letters. Binary files hold none.
 * @throws GitTimeoutError where it takes too long
 */
export async function filesWith(
  context: RepositoryContext,
  commitOid: string,
  text: string,
  signal?: AbortSignal,
): Promise<string[]> {
  // Each line would be a text of its own.
  if (text === '' || /[\n\0]/.test(text)) return [];
  const { oid } = (await entryAt(context, commitOid, ''))!;
  // The text comes by the input, which no option can be.
  const args = ['grep', '-I', '-i', '-F', '-l', '-z', '--full-name', '-f', '-', oid];
  const { stdout } = await context.runner.capture(context, args, {
    ...{ input: `${text}\n`, codes: [0, 1], weight: 'walk', maxBytes: MAX_BYTES, signal },
    config: [['grep.threads', '1']],
  });
  const names = stdout.toString().split('\0');
  // What follows the last end is nothing, or a name that was cut.
  names.pop();
  return names.map((name) => name.slice(oid.length + 1));
}
