/**
 * Reads refs from files: the loose file, else `packed-refs`, in git's own order. A for-each-ref process costs
 * milliseconds, and `rev-parse` would interpret a caller's string.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryContext } from '../repository-context.ts';
import { type Ref, type RefFiles, readLoose, readLooseBelow, readPacked, stampOf } from './ref-files.ts';
import { assertRefName, isValidRefName } from './ref-name.ts';

export type { Ref } from './ref-files.ts';

type RefSource = Pick<RepositoryContext, 'gitDir' | 'answers' | 'refWriters'>;

const MAX_KNOWN = 10_000;
/** Re-stat a ref file at most every 10 ms; a write of another process is seen within that time. */
const LOOKED_AT_MS = 10;

/** Resolves a full ref name to an object id. */
export async function readRef(context: RefSource, ref: string): Promise<string | undefined> {
  const { gitDir, refWriters } = context;
  const known = refWriters.known(gitDir);
  const read = known.get(ref);
  const now = performance.now();
  if (read && now - read.lookedAt < LOOKED_AT_MS) return read.oid;
  const stamp = stampOf(`${gitDir}/${read ? ref : assertRefName(ref)}`);
  // The stamp detects foreign writes. Our own writers clear the entry, since two versions may share a stamp.
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

/** Whether the name is in the cache, or at least valid. */
export function canBeRef(context: RefSource, ref: string): boolean {
  return context.refWriters.known(context.gitDir).has(ref) || isValidRefName(ref);
}

/** Lists refs under a folder (`refs/heads/`) by name bytes. Returns the same array until one of them moves. */
export async function listRefs(context: RefSource, prefix = 'refs/'): Promise<readonly Ref[]> {
  const folder = prefix.replace(/\/+$/, '');
  if (folder !== 'refs') assertRefName(folder);
  return context.refWriters.list(context, `${folder}/`);
}

/** Reads every ref from disk, past the cache, to compare git with the log. */
export async function readRefs(context: RefFiles): Promise<Map<string, string>> {
  const loose = await readLooseBelow(context.gitDir, 'refs');
  return new Map([...(await readPacked(context)), ...loose]);
}

/** HEAD's branch as a full ref name, which may not exist yet; undefined if HEAD is detached. */
export async function readHead(gitDir: string): Promise<string | undefined> {
  const text = await readFile(join(gitDir, 'HEAD'), 'utf8');
  const ref = /^ref: (\S+)\s*$/.exec(text)?.[1];
  return ref && isValidRefName(ref) ? ref : undefined;
}
