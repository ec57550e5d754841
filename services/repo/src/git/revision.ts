/**
 * What a caller's name for a commit means. One precedence everywhere:
 *
 * 1. `HEAD`, the default branch;
 * 2. 40 hexadecimal digits, a commit or an annotated tag that peels to one (git's own order: no ref may have such
 *    a name, and if one did it must not stand in for the commit that somebody pinned);
 * 3. a branch of that name; 4. a tag of that name;
 * 5. 7 to 39 hexadecimal digits, the beginning of exactly one commit's id;
 * 6. a full ref name (`refs/heads/x`, `refs/merge-requests/1/head`).
 *
 * The name itself never reaches git: no `@{...}`, `^`, `~`, `:` or description is understood.
 */

import { parseTag } from './commit-object.ts';
import { isOid, isShortOid } from './object-id.ts';
import { canBeRef, readHead, readRef } from './ref-store.ts';
import type { Store } from './store.ts';

export type Revision = {
  /** The commit, tags peeled. */
  oid: string;
  kind: 'branch' | 'tag' | 'commit';
  /** Full name of the ref, where the revision was one. */
  ref?: string;
};

/** The commit that a name stands for, or undefined. */
export async function resolveRevision(store: Store, name: string): Promise<Revision | undefined> {
  if (name === 'HEAD') {
    const head = await readHead(store.gitDir);
    return head === undefined ? undefined : byRef(store, head, 'branch');
  }
  const lower = name.toLowerCase();
  if (isOid(lower)) return byCommitId(store, lower);
  return (
    (await byRef(store, `refs/heads/${name}`, 'branch')) ??
    (await byRef(store, `refs/tags/${name}`, 'tag')) ??
    (isShortOid(lower) ? await byShortId(store, lower) : undefined) ??
    (name.startsWith('refs/') ? await byRef(store, name, kindOf(name)) : undefined)
  );
}

function kindOf(ref: string): Revision['kind'] {
  if (ref.startsWith('refs/heads/')) return 'branch';
  return ref.startsWith('refs/tags/') ? 'tag' : 'commit';
}

async function byRef(store: Store, ref: string, kind: Revision['kind']): Promise<Revision | undefined> {
  const target = canBeRef(store, ref) ? await readRef(store, ref) : undefined;
  const oid = target && (await peelToCommit(store, target));
  return oid ? { oid, kind, ref } : undefined;
}

async function byCommitId(store: Store, id: string): Promise<Revision | undefined> {
  const oid = await peelToCommit(store, id);
  return oid ? { oid, kind: 'commit' } : undefined;
}

async function byShortId(store: Store, prefix: string): Promise<Revision | undefined> {
  const { stdout } = await store.runner.capture(store, ['rev-parse', `--disambiguate=${prefix}`], {
    maxBytes: 64 * 1024,
  });
  const ids = stdout.toString('latin1').split('\n').filter(isOid);
  const commits: string[] = [];
  for (const id of ids) if ((await store.objects.info(id))?.type === 'commit') commits.push(id);
  return commits.length === 1 ? { oid: commits[0]!, kind: 'commit' } : undefined;
}

/** The commit that an object is or, through annotated tags, points to. */
export async function peelToCommit(store: Store, oid: string): Promise<string | undefined> {
  let id = oid;
  for (let depth = 0; depth < 10; depth++) {
    const type = (await store.objects.info(id))?.type;
    if (type === 'commit') return id;
    if (type !== 'tag') return undefined;
    id = parseTag(id, await store.objects.need(id, 'tag')).targetId;
  }
  return undefined;
}
