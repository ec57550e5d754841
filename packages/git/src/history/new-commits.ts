import { assertOid } from '../objects/object-id.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { decodeText, splitBytes } from '../text.ts';

/** Commits that these tips reach and no branch does, newest first; at most `limit`. */
export async function newCommits(
  context: RepositoryContext,
  tips: readonly string[],
  limit: number,
): Promise<string[]> {
  // Branches alone: whatever a tag brought becomes part of a branch only now.
  const args = ['rev-list', `--max-count=${limit}`, '--stdin', '--not', '--branches', '--'];
  const input = tips.map((tip) => `${assertOid(tip)}\n`).join('');
  const { stdout } = await context.runner.capture(context, args, { weight: 'walk', input });
  return stdout.toString('latin1').split('\n').filter(Boolean);
}

export interface BroughtFile {
  commit: string;
  path: string;
  /** Null for a submodule. */
  blob: string | null;
  isAdded: boolean;
}

const COLON = 0x3a;
const SUBMODULE = '160000';

/** Files that commits add or change: of a merge those that differ from all parents. A rename adds its new name. */
export async function broughtFiles(
  context: RepositoryContext,
  commits: readonly string[],
): Promise<BroughtFile[]> {
  const args = [
    'diff-tree',
    '--stdin',
    '--root',
    '-r',
    '-c',
    '-z',
    '--raw',
    '--no-renames',
    '--diff-filter=d',
    '--always',
  ];
  const input = commits.map((commit) => `${assertOid(commit)}\n`).join('');
  const { stdout } = await context.runner.capture(context, args, { weight: 'walk', input });
  return parseBrought(stdout);
}

/** `<commit>\0`, then `:<modes> <ids> <status>\0<path>\0` for each file, with a colon and mode for each parent. */
function parseBrought(output: Buffer): BroughtFile[] {
  const files: BroughtFile[] = [];
  let commit = '';
  let file: Omit<BroughtFile, 'path'> | undefined;
  for (const field of splitBytes(output, 0)) {
    if (file) {
      files.push({ ...file, path: decodeText(field) });
      file = undefined;
    } else if (field[0] === COLON) {
      const words = field.toString('latin1').split(' ');
      const status = words.at(-1)!;
      const parents = words[0]!.lastIndexOf(':') + 1;
      const blob = words[parents] === SUBMODULE ? null : words.at(-2)!;
      file = { commit, blob, isAdded: /^A+$/.test(status) };
    } else commit = field.toString('latin1').trim();
  }
  return files;
}
