import type { EventOf } from '@forgelog/contracts/event.ts';
import type { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { RefTable } from './ref-table.ts';

/** The refs of a repository as the log has them: git's own are a projection of these (ADR 6). */
export type RefLogState = RefTable;

export interface RefMove {
  ref: string;
  oldOid: string;
  newOid: string;
  commitCount: number;
  commitTitle: string | null;
}

/** Recorded while git holds the refs locked at `oldOid`, all of them or none. */
export interface RecordMoves {
  type: 'RecordMoves';
  projectId: number;
  via: 'push' | 'api';
  pushOptions: readonly string[];
  moves: readonly RefMove[];
}

/** Git's refs are not where the log has them: they must be reconciled before anything can move. */
export class RefsDifferError extends Error {
  override readonly name = 'RefsDifferError';
}

export const refLogStream = (projectId: number) => `repository-${projectId}`;

export const refLogDecider: Decider<RefLogState, RecordMoves, EventOf<typeof RefUpdated>> = {
  initialState: RefTable.EMPTY,

  decide({ projectId, via, pushOptions, moves }, refs) {
    return moves.flatMap((move) => {
      const logged = refs.get(move.ref) ?? ZERO_OID;
      // Recorded before, by a vote whose outcome never reached git: it must not be told twice.
      if (logged === move.newOid) return [];
      if (logged !== move.oldOid) throw new RefsDifferError(`${move.ref} is at ${logged} in the log`);
      const data = { projectId, ...move, via, pushOptions: [...pushOptions] };
      return [{ type: 'RefUpdated' as const, data }];
    });
  },

  evolve(refs, { data }) {
    return refs.with(data.ref, data.newOid === ZERO_OID ? undefined : data.newOid);
  },
};
