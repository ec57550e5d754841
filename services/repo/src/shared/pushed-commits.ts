import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';

/** A repository that is made from the log cannot be what was pushed: the message says why, and what to do. */
export class PushRefused extends Error {}

export interface PushedObject {
  oid: string;
  /** undefined for the first commit of all. */
  parent: string | undefined;
  /** As git has it. */
  text: string;
}

const MOST_COMMIT_BYTES = 65_536;
const FILE = '100644';

/** The new commits of a push to the only branch, the first one first, each on top of the one before. @throws PushRefused */
export async function linearCommits(
  updates: readonly RefUpdate[],
  reads: RepositoryReads,
  { what, ref, most }: { what: string; ref: string; most: number },
): Promise<PushedObject[]> {
  const [update] = updates;
  if (updates.length !== 1 || update!.ref !== ref)
    throw new PushRefused(`A ${what} has one branch and no tags: push to ${ref} alone.`);
  const { oldOid, newOid } = update!;
  if (newOid === ZERO_OID) throw new PushRefused(`The branch of a ${what} cannot be deleted.`);
  const isFirst = oldOid === ZERO_OID;
  if (!isFirst && !(await reads.isAncestor(oldOid, newOid)))
    throw new PushRefused(`The history of a ${what} is kept: fetch it, and push what you add to it.`);
  const added = await reads.newCommits([newOid], most + 1);
  if (added.length > most) throw new PushRefused(`A push to a ${what} has ${most} commits at most.`);

  const commits: PushedObject[] = [];
  let parent = isFirst ? undefined : oldOid;
  for (const oid of added.toReversed()) {
    const text = await commitText(reads, oid);
    const parents = [...text.split('\n\n', 1)[0]!.matchAll(/^parent ([0-9a-f]{40})$/gm)];
    if (parents.length > 1 || parents[0]?.[1] !== parent)
      throw new PushRefused(`A ${what} takes no merge commits: rebase onto its branch, and push again.`);
    commits.push({ oid, parent, text });
    parent = oid;
  }
  return commits;
}

async function commitText(reads: RepositoryReads, oid: string): Promise<string> {
  const { size } = (await reads.objects.info(oid))!;
  if (size > MOST_COMMIT_BYTES) throw new PushRefused(`The commit ${oid.slice(0, 8)} is too long.`);
  const text = textOf(await reads.objects.need(oid, 'commit'));
  if (text === null) throw new PushRefused(`The message of ${oid.slice(0, 8)} is not UTF-8.`);
  return text;
}

/** @throws PushRefused for what is no file, or can be run */
export function requirePlain(path: string, mode: string, what: string): void {
  if (mode === FILE) return;
  const plain = `and a ${what} has plain files only`;
  if (mode === '160000') throw new PushRefused(`${path} is a submodule, ${plain}.`);
  if (mode === '120000') throw new PushRefused(`${path} is a symbolic link, ${plain}.`);
  throw new PushRefused(`${path} is executable, ${plain}: git update-index --chmod=-x ${path}`);
}

/** null for bytes that are no text. */
export function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
