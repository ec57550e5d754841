import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  PUSH_BOUNDS,
  type PushReceived,
  type RefUpdated,
  type RepositoryForked,
  type RepositoryMoved,
} from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { RefTable } from './ref-table.ts';

type Updated = EventOf<typeof RefUpdated>['data'];
type Received = EventOf<typeof PushReceived>['data'];

export interface RefLogState {
  /** The refs according to the log; git's own refs are a projection of them (ADR 6). */
  refs: RefTable;
  /** Pushes some of whose refs have moved, by id. git moves refs one by one unless a push is atomic. */
  open: ReadonlyMap<string, OpenPush>;
  /** Whether the refs that a fork begins with are all there. */
  isForked: boolean;
  /** Where the last move brought it, and which one that was; null as long as it is where it was created. */
  moved: { storage: string; moveId: number } | null;
}

type OpenPush = Pick<Received, 'refs' | 'refCount'>;

export type RefMove = Pick<
  Updated,
  'ref' | 'oldOid' | 'newOid' | 'commitCount' | 'commitCountIsLowerBound' | 'commitTitle' | 'forced'
>;

/** A merge that an event tells of. */
export type RefMerge = NonNullable<Updated['merge']>;

export type PushedCommits = Pick<
  Received,
  'commitCount' | 'commitCountIsLowerBound' | 'authors' | 'authorsAreComplete'
>;

interface OfPush {
  projectId: number;
  pushId: string;
  via: 'push' | 'api';
  pushOptions: readonly string[];
}

interface RecordedMoves {
  moves: readonly RefMove[];
  /** Given with the last moves of a push. */
  commits: PushedCommits | null;
  /** The merge request whose merge is the one move. */
  merge?: RefMerge | undefined;
  /** The suggestions that the commit of the one move applies. */
  suggestionIds?: readonly number[] | undefined;
  /** A ref of this repository that must be at this id still. */
  unmoved?: { ref: string; oid: string } | undefined;
  /** The storage whose instance records them. */
  storage?: string | undefined;
}

export type RefLogCommand =
  /**
   * Records moves while git holds the refs locked at `oldOid`, all or none.
   */
  | ({ type: 'RecordMoves' } & RecordedMoves & OfPush)
  /** Records refs that a fork begins with, but for those that were pushed to it meanwhile; `refCount` with the last ones. */
  | {
      type: 'RecordFork';
      projectId: number;
      forkedFromProjectId: number;
      refs: readonly (readonly [ref: string, oid: string])[];
      refCount: number | null;
    }
  /** From now on the repository is that of the other storage: the one append by which it moves. */
  | { type: 'MoveRepository'; projectId: number; moveId: number; source: string; destination: string }
  /** Ends a push whose other refs did not move. A no-op for one that has ended. */
  | ({ type: 'EndPush' } & OfPush);

/** git's refs differ from the log: reconcile them before any move. */
export class RefsDifferError extends Error {
  override readonly name = 'RefsDifferError';
}

/** The repository is on another storage by now: what is recorded here would be lost. */
export class RepositoryElsewhereError extends Error {
  override readonly name = 'RepositoryElsewhereError';
}

/** A ref that a decision rests on has moved. */
export class RefMovedMeanwhileError extends Error {
  override readonly name = 'RefMovedMeanwhileError';
}

export const refLogStream = (projectId: number) => `repository-${projectId}`;

type RefLogEvent =
  | EventOf<typeof RefUpdated>
  | EventOf<typeof PushReceived>
  | EventOf<typeof RepositoryForked>
  | EventOf<typeof RepositoryMoved>;

export const refLogDecider: Decider<RefLogState, RefLogCommand, RefLogEvent> = {
  initialState: { refs: RefTable.EMPTY, open: new Map(), isForked: false, moved: null },

  decide(command, { refs, open, isForked, moved }) {
    if (command.type === 'RecordFork') return isForked ? [] : recordFork(command, refs);
    if (command.type === 'MoveRepository') {
      const { projectId, moveId, source, destination } = command;
      if (moved?.moveId === moveId) return [];
      if (moved !== null && moved.storage !== source) throw new RepositoryElsewhereError(moved.storage);
      const change = { changes: { storage: destination }, previous: { storage: source } };
      return [{ type: 'RepositoryMoved', data: { projectId, moveId, ...change } }];
    }
    const { projectId, pushId, via } = command;
    const push = { projectId, pushId, via, pushOptions: [...command.pushOptions] };
    const before = open.get(pushId);
    switch (command.type) {
      case 'RecordMoves': {
        const { unmoved, merge = null, storage } = command;
        if (storage !== undefined && moved !== null && moved.storage !== storage)
          throw new RepositoryElsewhereError(moved.storage);
        const suggestionIds = command.suggestionIds ? [...command.suggestionIds] : null;
        if (unmoved && refs.get(unmoved.ref) !== unmoved.oid) throw new RefMovedMeanwhileError(unmoved.ref);
        const updates = command.moves.flatMap((move) => {
          const logged = refs.get(move.ref) ?? ZERO_OID;
          // A hook recorded this move, but git never got the answer: do not record it twice.
          if (logged === move.newOid) return [];
          if (logged !== move.oldOid) throw new RefsDifferError(`${move.ref} is at ${logged} in the log`);
          return [{ type: 'RefUpdated' as const, data: { ...move, ...push, merge, suggestionIds } }];
        });
        const whole = updates.reduce((sum: OpenPush | undefined, { data }) => withMove(sum, data), before);
        if (command.commits === null || whole === undefined) return updates;
        return [...updates, { type: 'PushReceived', data: { ...push, ...whole, ...command.commits } }];
      }
      case 'EndPush':
        if (before === undefined) return [];
        return [{ type: 'PushReceived', data: { ...push, ...before, ...commitsOf(before) } }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { refs, open } = state;
    switch (event.type) {
      case 'RefUpdated': {
        const { ref, newOid, pushId } = event.data;
        const moved = refs.with(ref, newOid === ZERO_OID ? undefined : newOid);
        if (pushId === null) return { ...state, refs: moved };
        const push = withMove(open.get(pushId), event.data);
        return { ...state, refs: moved, open: new Map(open).set(pushId, push) };
      }
      case 'PushReceived':
        return { ...state, open: new Map([...open].filter(([id]) => id !== event.data.pushId)) };
      case 'RepositoryForked':
        return { ...state, isForked: true };
      case 'RepositoryMoved': {
        const { moveId, changes } = event.data;
        return { ...state, moved: { storage: changes.storage!, moveId } };
      }
      default:
        return event satisfies never;
    }
  },
};

/** A fork has no new commits. */
const BEGINNING = {
  ...{ oldOid: ZERO_OID, commitCount: 0, commitCountIsLowerBound: false, commitTitle: null, forced: false },
  ...{ via: 'fork' as const, pushOptions: [], pushId: null, merge: null, suggestionIds: null },
};

function recordFork(
  { projectId, forkedFromProjectId, refs: begun, refCount }: Extract<RefLogCommand, { type: 'RecordFork' }>,
  refs: RefTable,
): RefLogEvent[] {
  const moves = begun
    .filter(([ref]) => refs.get(ref) === undefined)
    .map(([ref, newOid]) => ({
      type: 'RefUpdated' as const,
      data: { projectId, ref, newOid, ...BEGINNING },
    }));
  if (refCount === null) return moves;
  return [...moves, { type: 'RepositoryForked', data: { projectId, forkedFromProjectId, refCount } }];
}

function withMove(push: OpenPush = { refs: [], refCount: 0 }, move: RefMove): OpenPush {
  const { ref, oldOid, newOid, commitCount, forced } = move;
  const change = oldOid === ZERO_OID ? 'created' : newOid === ZERO_OID ? 'deleted' : 'moved';
  const told = { ref, oldOid, newOid, commitCount, kind: kindOf(ref), change, forced } as const;
  const refCount = push.refCount + 1;
  return { refs: refCount > PUSH_BOUNDS.refs ? push.refs : [...push.refs, told], refCount };
}

const kindOf = (ref: string) =>
  ref.startsWith('refs/heads/') ? 'branch' : ref.startsWith('refs/tags/') ? 'tag' : 'other';

/** What is known of the commits of a push that broke off: its refs may share commits. */
const commitsOf = ({ refs }: OpenPush): PushedCommits => ({
  commitCount: Math.max(...refs.map(({ commitCount }) => commitCount)),
  commitCountIsLowerBound: true,
  authors: [],
  authorsAreComplete: false,
});
