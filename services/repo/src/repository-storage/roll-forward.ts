/** Moves git's refs to what the log says: after a crash, after a failed transaction, or on an operator's command. */

import { GitError, RefMovedError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RefTable } from './ref-table.ts';

export interface RolledForward {
  moved: RefUpdate[];
  /** Refs that could not be moved. All others match the log. */
  left: RefLeftBehind[];
}

export interface RefLeftBehind {
  ref: string;
  /** The ref's id in the log; zeros if the log has no such ref. */
  oid: string;
  /** Why it failed, and what to do. */
  reason: string;
}

/** Refs in these namespaces are removed if the log does not know them. Others are only changed if it does. */
const OWNED = /^refs\/(heads|tags)\//;
const MOST_TRIES = 3;
/** With this many failures the repository has another problem. */
const MOST_FAILED = 50;

/** Idempotent, and safe beside pushes. `logged` gives the refs as the log has them now. */
export async function rollForward(
  repository: Pick<Repository, 'readRefs' | 'updateRefs' | 'objects'>,
  logged: () => Promise<RefTable>,
): Promise<RolledForward> {
  const moved: RefUpdate[] = [];
  for (let tries = 1; ; tries++) {
    const { removals, changes, lost } = await due(repository, (await logged()).toMap());
    const failed: { update: RefUpdate; error: GitError }[] = [];

    /** Tries one transaction; if it fails, tries each half, to isolate the bad refs. */
    const move = async (updates: readonly RefUpdate[]): Promise<void> => {
      if (updates.length === 0) return;
      try {
        if (failed.length >= MOST_FAILED) throw failed.at(-1)!.error;
        await repository.updateRefs([...updates], stillSo(updates));
        moved.push(...updates);
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        if (updates.length === 1 || failed.length >= MOST_FAILED) {
          failed.push(...updates.map((update) => ({ update, error })));
          return;
        }
        const half = updates.length >> 1;
        await move(updates.slice(0, half));
        await move(updates.slice(half));
      }
    };
    // A push locks a ref before it records the move: under our lock the log is up to date.
    const stillSo = (updates: readonly RefUpdate[]) => async () => {
      const refs = await logged();
      const other = updates.find(({ ref, newOid }) => (refs.get(ref) ?? ZERO_OID) !== newOid);
      if (other) throw new RefMovedError(other.ref);
    };

    // In two transactions: `a` must be gone before `a/b` can be created.
    await move(removals);
    await move(changes);
    // A concurrent writer moved one of them: retry.
    if (tries < MOST_TRIES && failed.some(({ error }) => error instanceof RefMovedError)) continue;
    return { moved, left: [...lost, ...failed.map(leftBehind)] };
  }
}

async function due(
  repository: Pick<Repository, 'readRefs' | 'objects'>,
  wanted: ReadonlyMap<string, string>,
): Promise<{ removals: RefUpdate[]; changes: RefUpdate[]; lost: RefLeftBehind[] }> {
  const present = await repository.readRefs();
  const removals: RefUpdate[] = [];
  const changes: RefUpdate[] = [];
  const lost: RefLeftBehind[] = [];
  for (const [ref, oid] of present)
    if (OWNED.test(ref) && !wanted.has(ref)) removals.push({ ref, oldOid: oid, newOid: ZERO_OID });
  for (const [ref, oid] of wanted) {
    const oldOid = present.get(ref) ?? ZERO_OID;
    if (oldOid === oid) continue;
    if (await repository.objects.info(oid)) changes.push({ ref, oldOid, newOid: oid });
    else lost.push({ ref, oid, reason: lostObject(oid) });
  }
  return { removals, changes, lost };
}

export const lostObject = (oid: string) =>
  `object ${oid} is not in the repository; put its objects back from a backup, or push the ref again from a clone that has it`;

function leftBehind({
  update: { ref, newOid },
  error,
}: {
  update: RefUpdate;
  error: GitError;
}): RefLeftBehind {
  const words = 'stderr' in error ? `${error.message}: ${String(error.stderr).trim()}` : error.message;
  return {
    ref,
    oid: newOid,
    reason: `git cannot move it (${words}); mend that, then run \`npm run repair\``,
  };
}
