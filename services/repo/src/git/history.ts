/** How commits stand to each other, and who made them. */
import { ObjectNotFoundError } from './git-errors.ts';
import { assertOid } from './object-id.ts';
import { assertRefName } from './ref-name.ts';
import { remember } from './remember.ts';
import type { Store } from './store.ts';
import { straightLine } from './straight-line.ts';
import { decodeText, splitBytes } from './text.ts';

/** The best common ancestor of all these commits (two or more), or undefined if they have none. */
export async function mergeBase(store: Store, oids: string[]): Promise<string | undefined> {
  const ids = oids.map(assertOid);
  return remember(store, ['base', ...ids], async () => {
    const [one, other] = ids as [string, string];
    if (ids.length === 2 && (await straightLine(store, one, other))) return one;
    // --octopus: of all of them; without it git would answer for the first and a merge of the others.
    const args = ['merge-base', '--octopus', ...ids];
    const { stdout } = await store.runner.capture(store, args, { codes: [0, 1], weight: 'walk' });
    return stdout.toString('latin1').split('\n', 1)[0] || undefined;
  });
}

/** Whether the first commit is the second one or one of its ancestors: whether the first is merged into the second. */
export async function isAncestor(store: Store, ancestor: string, descendant: string): Promise<boolean> {
  if (assertOid(ancestor) === assertOid(descendant)) return true;
  const args = ['merge-base', '--is-ancestor', ancestor, descendant];
  const { code } = await store.runner.capture(store, args, { codes: [0, 1, 128] });
  if (code === 128) throw new ObjectNotFoundError(`${ancestor} or ${descendant}`, 'commit');
  return code === 0;
}

/** Refs under a prefix that is a folder (`refs/heads/`) whose history holds a commit, by name. */
export async function refsContaining(store: Store, oid: string, prefix: string): Promise<string[]> {
  const folder = assertRefName(prefix.replace(/\/+$/, ''));
  const args = ['for-each-ref', `--contains=${assertOid(oid)}`, '--format=%(refname)', folder];
  const { stdout } = await store.runner.capture(store, args, { weight: 'walk' });
  return splitBytes(stdout, 10).map(decodeText);
}

/** Commits only in `of` (ahead) and only in `base` (behind). */
export async function aheadBehind(
  store: Store,
  base: string,
  of: string,
): Promise<{ ahead: number; behind: number }> {
  return remember(store, ['ahead', base, of], async () => {
    const args = ['rev-list', '--left-right', '--count', `${assertOid(base)}...${assertOid(of)}`, '--'];
    const { stdout } = await store.runner.capture(store, args, { weight: 'walk' });
    const [behind = 0, ahead = 0] = stdout.toString().trim().split('\t').map(Number);
    return { ahead, behind };
  });
}

export type Contributor = { name: string; email: string; commits: number };

/**
 * Authors of a commit's history with their number of commits, most first, as `git shortlog -sne --no-merges` (.mailmap
 * included): a merge changes nothing of its own, and stock servers do not count it.
 */
export async function contributors(store: Store, commitOid: string): Promise<Contributor[]> {
  return remember(store, ['contributors', commitOid], async () => {
    const args = ['shortlog', '-s', '-n', '-e', '--no-merges', assertOid(commitOid)];
    const { stdout } = await store.runner.capture(store, args, { weight: 'walk' });
    return splitBytes(stdout, 10)
      .map((line) => /^\s*(\d+)\t(.*) <(.*)>$/.exec(decodeText(line)))
      .filter((match) => match !== null)
      .map(([, commits, name, email]) => ({ name: name!, email: email!, commits: Number(commits) }));
  });
}
