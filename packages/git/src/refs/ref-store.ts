/**
 * Reads refs straight from the repository's files: a loose file, else `packed-refs`, in git's own order.
 *
 * Spawning for-each-ref costs milliseconds, and `rev-parse` would take a caller's string for more than a name.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryContext } from '../repository-context.ts';
import { type Ref, type RefFiles, readLoose, readLooseBelow, readPacked, stampOf } from './ref-files.ts';
import { assertRefName, isValidRefName } from './ref-name.ts';

export type { Ref } from './ref-files.ts';

type RefSource = Pick<RepositoryContext, 'gitDir' | 'answers' | 'refWriters'>;

/** Of one repository. */
const MAX_KNOWN = 10_000;
/** Who writes past us is seen after so many milliseconds: a file that everybody reads is not looked at for each. */
const LOOKED_AT_MS = 10;

/** The object id that a full ref name points to, or undefined. */
export async function readRef(context: RefSource, ref: string): Promise<string | undefined> {
  const { gitDir, refWriters } = context;
  const known = refWriters.known(gitDir);
  const read = known.get(ref);
  const now = performance.now();
  if (read && now - read.lookedAt < LOOKED_AT_MS) return read.oid;
  const stamp = stampOf(`${gitDir}/${read ? ref : assertRefName(ref)}`);
  // The stamp is for who writes past us; our own writers make the map forget, however alike two stamps are.
  if (read && read.stamp === stamp) {
    read.lookedAt = now;
    return read.oid;
  }
  const oid = stamp === undefined ? undefined : readLoose(gitDir, ref);
  if (oid === undefined) return (await readPacked(context)).get(ref);
  if (!refWriters.isMoving(gitDir, ref)) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(ref, { stamp: stamp!, oid, lookedAt: now });
  }
  return oid;
}

/** Whether the name is that of a ref which was read before, or at least one that a ref can have. */
export function canBeRef(context: RefSource, ref: string): boolean {
  return context.refWriters.known(context.gitDir).has(ref) || isValidRefName(ref);
}

/**
 * Every ref whose full name starts with `prefix` (a folder: `refs/heads/`), ordered by name bytes. The same array as
 * long as none of them changed.
 */
export async function listRefs(context: RefSource, prefix = 'refs/'): Promise<readonly Ref[]> {
  const folder = prefix.replace(/\/+$/, '');
  if (folder !== 'refs') assertRefName(folder);
  return context.refWriters.list(context, `${folder}/`);
}

/** Every ref as the files have it now, whatever is known: for whoever holds git against the log. */
export async function readRefs(context: RefFiles): Promise<Map<string, string>> {
  const loose = await readLooseBelow(context.gitDir, 'refs');
  return new Map([...(await readPacked(context)), ...loose]);
}

/** The branch that HEAD names, which may not exist yet (a full ref name), or undefined where HEAD is detached. */
export async function readHead(gitDir: string): Promise<string | undefined> {
  const text = await readFile(join(gitDir, 'HEAD'), 'utf8');
  const ref = /^ref: (\S+)\s*$/.exec(text)?.[1];
  return ref && isValidRefName(ref) ? ref : undefined;
}
