/** Moves the refs of a push: all in one transaction, and without those that cannot move. */
import { GitError, MoveRefusedError, RefMovedError } from '../errors.ts';
import { ZERO_OID } from '../objects/object-id.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { readRef } from './ref-store.ts';
import { type RefUpdate, updateRefs } from './ref-transaction.ts';

export interface PushedRefsVote {
  /** Called while the refs are locked. If it throws, they stay where they are. */
  vote(updates: RefUpdate[]): Promise<void>;
  /** Called after each vote: with its error, or that of git, unless the refs moved. */
  ended(updates: RefUpdate[], error: unknown): Promise<void>;
  /** The reason of refs whose vote threw anything but a refusal. */
  notRecorded: string;
}

/** The words of stock git. */
const NOT_MOVED = 'failed to update ref';
const NOT_ATOMIC = 'atomic push failure';

/** Characters of a reason: all refs of a push are reported together. */
const LONGEST_REASON = 300;

/** A reason ends with its line, and is printed on a terminal. */
const inOneLine = (reason: string): string =>
  reason.replace(/[\x00-\x20\x7f]+/g, ' ').slice(0, LONGEST_REASON);

/** Returns why refs did not move, by name. An atomic push moves all or none. */
export async function movePushedRefs(
  context: RepositoryContext,
  updates: readonly RefUpdate[],
  isAtomic: boolean,
  voting: PushedRefsVote,
): Promise<Map<string, string>> {
  const problems = new Map<string, string>();
  const refuse = (some: readonly RefUpdate[], problem: string) => {
    for (const { ref } of some) problems.set(ref, problem);
  };

  /** Without the refs that stand in the way; where git does not say which, each half is tried. */
  const move = async (some: readonly RefUpdate[]): Promise<void> => {
    if (some.length === 0) return;
    let isVoted = false;
    try {
      await updateRefs(context, [...some], async () => {
        isVoted = true;
        await voting.vote([...some]);
      });
      await voting.ended([...some], undefined);
    } catch (error) {
      if (isVoted) {
        refuse(some, error instanceof MoveRefusedError ? inOneLine(error.message) : voting.notRecorded);
        return voting.ended([...some], error);
      }
      if (!(error instanceof GitError)) throw error;
      const moved = await movedMeanwhile(context, some, error);
      refuse(moved, NOT_MOVED);
      if (isAtomic)
        return refuse(
          some.filter((update) => !moved.includes(update)),
          NOT_ATOMIC,
        );
      if (moved.length > 0) return move(some.filter((update) => !moved.includes(update)));
      if (some.length === 1) return refuse(some, NOT_MOVED);
      const half = some.length >> 1;
      await move(some.slice(0, half));
      await move(some.slice(half));
    }
  };

  await move(updates);
  return problems;
}

async function movedMeanwhile(
  context: RepositoryContext,
  updates: readonly RefUpdate[],
  error: GitError,
): Promise<RefUpdate[]> {
  if (!(error instanceof RefMovedError)) return [];
  const moved: RefUpdate[] = [];
  for (const update of updates)
    if (((await readRef(context, update.ref)) ?? ZERO_OID) !== update.oldOid) moved.push(update);
  return moved;
}
