/** Relations between commits, and their authors. */
import { GitTimeoutError, ObjectNotFoundError } from '../errors.ts';
import { assertOid } from '../objects/object-id.ts';
import { memoized } from '../process/memoize.ts';
import { assertRefName } from '../refs/ref-name.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { decodeText, splitBytes } from '../text.ts';
import { onlyMergeBase } from './only-merge-base.ts';

/** The best common ancestor of two or more commits; undefined if they have none. */
export async function mergeBase(context: RepositoryContext, oids: string[]): Promise<string | undefined> {
  const ids = oids.map(assertOid);
  return memoized(context, ['base', ...ids], async () => {
    const [one, other] = ids as [string, string];
    const only = ids.length === 2 ? await onlyMergeBase(context, one, other) : undefined;
    if (only !== undefined) return only;
    // --octopus: common to all; without it git compares the first with a merge of the others.
    const args = ['merge-base', '--octopus', ...ids];
    const { stdout } = await context.runner.capture(context, args, { codes: [0, 1], weight: 'walk' });
    return stdout.toString('latin1').split('\n', 1)[0] || undefined;
  });
}

/** Whether the first commit is the second one or its ancestor. */
export async function isAncestor(
  context: RepositoryContext,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (assertOid(ancestor) === assertOid(descendant)) return true;
  const args = ['merge-base', '--is-ancestor', ancestor, descendant];
  const { code } = await context.runner.capture(context, args, { codes: [0, 1, 128] });
  if (code === 128) throw new ObjectNotFoundError(`${ancestor} or ${descendant}`, 'commit');
  return code === 0;
}

/** Bytes of git's output: 41 for each commit that follows. */
const MOST_FOLLOWING = 64 * 1024 * 1024;

/** Those of some commits whose history contains one. What the repository lacks contains nothing. */
export async function containing(
  context: RepositoryContext,
  oid: string,
  oids: readonly string[],
): Promise<Set<string>> {
  const asked = [...new Set(oids)].map(assertOid);
  const args = ['rev-list', '--ancestry-path', '--ignore-missing', '--stdin'];
  const input = `${[...asked, `^${assertOid(oid)}`].join('\n')}\n`;
  const run = { input, maxBytes: MOST_FOLLOWING, weight: 'walk' } as const;
  const { stdout, truncated } = await context.runner.capture(context, args, run);
  if (truncated) throw new GitTimeoutError('too many commits follow');
  const following = new Set(stdout.toString('latin1').split('\n'));
  return new Set(asked.filter((one) => one === oid || following.has(one)));
}

/** Refs under a folder (`refs/heads/`) whose history contains a commit, by name. */
export async function refsContaining(
  context: RepositoryContext,
  oid: string,
  prefix: string,
): Promise<string[]> {
  const folder = assertRefName(prefix.replace(/\/+$/, ''));
  const args = ['for-each-ref', `--contains=${assertOid(oid)}`, '--format=%(refname)', folder];
  const { stdout } = await context.runner.capture(context, args, { weight: 'walk' });
  return splitBytes(stdout, 10).map(decodeText);
}

/** Counts commits only in `of` (ahead) and only in `base` (behind). */
export async function aheadBehind(
  context: RepositoryContext,
  base: string,
  of: string,
): Promise<{ ahead: number; behind: number }> {
  return memoized(context, ['ahead', base, of], async () => {
    const args = ['rev-list', '--left-right', '--count', `${assertOid(base)}...${assertOid(of)}`, '--'];
    const { stdout } = await context.runner.capture(context, args, { weight: 'walk' });
    const [behind = 0, ahead = 0] = stdout.toString().trim().split('\t').map(Number);
    return { ahead, behind };
  });
}

export interface Contributor {
  name: string;
  email: string;
  commits: number;
}

/**
 * Authors with their number of commits, most first, as `git shortlog -sne --no-merges` with .mailmap. Stock servers do
 * not count merges.
 */
export async function contributors(context: RepositoryContext, commitOid: string): Promise<Contributor[]> {
  return memoized(context, ['contributors', commitOid], async () => {
    const args = ['shortlog', '-s', '-n', '-e', '--no-merges', assertOid(commitOid)];
    const { stdout } = await context.runner.capture(context, args, { weight: 'walk' });
    return splitBytes(stdout, 10)
      .map((line) => /^\s*(\d+)\t(.*) <(.*)>$/.exec(decodeText(line)))
      .filter((match) => match !== null)
      .map(([, commits, name, email]) => ({ name: name!, email: email!, commits: Number(commits) }));
  });
}
