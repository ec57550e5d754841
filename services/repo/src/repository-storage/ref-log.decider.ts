import type { EventOf } from '@forgelog/contracts/event.ts';
import type { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { RefTable } from './ref-table.ts';

/** The refs of a repository according to the log; git's own refs are a projection of them (ADR 6). */
export type RefLogState = RefTable;

export interface RefMove {
  ref: string;
  oldOid: string;
  newOid: string;
  commitCount: number;
  commitTitle: string | null;
}

/** Records moves while git holds the refs locked at `oldOid`, all or none. */
export interface RecordMoves {
  type: 'RecordMoves';
  projectId: number;
  via: 'push' | 'api';
  pushOptions: readonly string[];
  moves: readonly RefMove[];
}

/** git's refs differ from the log: reconcile them before any move. */
export class RefsDifferError extends Error {
  override readonly name = 'RefsDifferError';
}

export const refLogStream = (projectId: number) => `repository-${projectId}`;

export const refLogDecider: Decider<RefLogState, RecordMoves, EventOf<typeof RefUpdated>> = {
  initialState: RefTable.EMPTY,

  decide({ projectId, via, pushOptions, moves }, refs) {
    return moves.flatMap((move) => {
      const logged = refs.get(move.ref) ?? ZERO_OID;
      // A hook recorded this move, but git never got the answer: do not record it twice.
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
