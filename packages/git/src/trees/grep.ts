/** Looks for a text in the files of a tree. */
import type { RepositoryContext } from '../repository-context.ts';
import { entryAt } from './tree-reader.ts';

/** About 300,000 files. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Git's own listing of a commit's files: `parseTree` reads it, in another thread where it is long. */
export async function treeListing(context: RepositoryContext, commitOid: string): Promise<Uint8Array> {
  const { oid } = (await entryAt(context, commitOid, ''))!;
  const args = ['ls-tree', '-r', '-z', '--full-tree', oid];
  const { stdout } = await context.runner.capture(context, args, { weight: 'walk', maxBytes: MAX_BYTES });
  return stdout;
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
