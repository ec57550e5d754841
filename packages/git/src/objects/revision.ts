/**
 * Resolves a caller's name to a commit, in this order:
 *
 * 1. `HEAD`, the default branch;
 * 2. 40 hexadecimal digits: a commit, or an annotated tag that peels to one. As in git, no ref shadows a pinned id;
 * 3. a branch; 4. a tag;
 * 5. 7 to 39 hexadecimal digits that abbreviate exactly one commit;
 * 6. a full ref name (`refs/heads/x`, `refs/merge-requests/1/head`).
 *
 * The name never reaches git, so `@{...}`, `^`, `~` and `:` are not supported.
 */

import { canBeRef, readHead, readRef } from '../refs/ref-store.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { parseTag } from './commit-object.ts';
import { isOid, isShortOid } from './object-id.ts';

export interface Revision {
  /** The commit's id, with tags peeled. */
  oid: string;
  kind: 'branch' | 'tag' | 'commit';
  /** The full ref name, if the revision is one. */
  ref?: string;
}

export async function resolveRevision(
  context: RepositoryContext,
  name: string,
): Promise<Revision | undefined> {
  if (name === 'HEAD') {
    const head = await readHead(context.gitDir);
    return head === undefined ? undefined : byRef(context, head, 'branch');
  }
  const lower = name.toLowerCase();
  if (isOid(lower)) return byCommitId(context, lower);
  return (
    (await byRef(context, `refs/heads/${name}`, 'branch')) ??
    (await byRef(context, `refs/tags/${name}`, 'tag')) ??
    (isShortOid(lower) ? await byShortId(context, lower) : undefined) ??
    (name.startsWith('refs/') ? await byRef(context, name, kindOf(name)) : undefined)
  );
}

function kindOf(ref: string): Revision['kind'] {
  if (ref.startsWith('refs/heads/')) return 'branch';
  return ref.startsWith('refs/tags/') ? 'tag' : 'commit';
}

async function byRef(
  context: RepositoryContext,
  ref: string,
  kind: Revision['kind'],
): Promise<Revision | undefined> {
  const target = canBeRef(context, ref) ? await readRef(context, ref) : undefined;
  const oid = target && (await peelToCommit(context, target));
  return oid ? { oid, kind, ref } : undefined;
}

async function byCommitId(context: RepositoryContext, id: string): Promise<Revision | undefined> {
  const oid = await peelToCommit(context, id);
  return oid ? { oid, kind: 'commit' } : undefined;
}

async function byShortId(context: RepositoryContext, prefix: string): Promise<Revision | undefined> {
  const { stdout } = await context.runner.capture(context, ['rev-parse', `--disambiguate=${prefix}`], {
    maxBytes: 64 * 1024,
  });
  const ids = stdout.toString('latin1').split('\n').filter(isOid);
  const commits: string[] = [];
  for (const id of ids) if ((await context.objects.info(id))?.type === 'commit') commits.push(id);
  return commits.length === 1 ? { oid: commits[0]!, kind: 'commit' } : undefined;
}

/** Follows annotated tags to a commit. */
export async function peelToCommit(context: RepositoryContext, oid: string): Promise<string | undefined> {
  let id = oid;
  for (let depth = 0; depth < 10; depth++) {
    const type = (await context.objects.info(id))?.type;
    if (type === 'commit') return id;
    if (type !== 'tag') return undefined;
    id = parseTag(id, await context.objects.need(id, 'tag')).targetId;
  }
  return undefined;
}
