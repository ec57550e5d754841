import { Rejection } from '@forgelog/contracts/errors.ts';
import { DEFAULT_STORAGE } from '@forgelog/contracts/repo/projects/project.events.ts';
import type {
  StorageMoveEvent,
  StorageMoveState,
  StorageMovesRequestedEvent,
} from '@forgelog/contracts/repo/storage-moves/storage-move.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** What is moved. */
export interface Moved {
  kind: 'project' | 'snippet' | 'group';
  projectId: number | null;
  snippetId: number | null;
  authorId: number | null;
  groupId: number | null;
}

interface OpenMove {
  moveId: number;
  source: string;
  destination: string;
  state: StorageMoveState;
}

export interface StorageMovesState {
  /** The move that has not ended. */
  open: OpenMove | null;
  /** Where the last finished move brought it; null before. */
  storage: string | null;
}

export type StorageMoveCommand =
  /**
   * `source` is where a project is. Snippets and groups have nothing on a storage, so only their moves say where they count;
   * where one is asked for, those that count elsewhere are left alone.
   */
  | ({ type: 'ScheduleMove'; moveId: number; source: string | null; destination: string } & Moved)
  /** A no-op for a move that has ended, or is further. */
  | ({ type: 'AdvanceMove'; moveId: number; to: StorageMoveState; errorMessage: string | null } & Moved);

export function storageMoveStream({ kind, projectId, snippetId, groupId }: Moved): string {
  const id = { project: projectId, snippet: snippetId, group: groupId }[kind];
  return `${kind}StorageMoves-${id}`;
}

export const projectMoved = (projectId: number): Moved => ({
  ...{ kind: 'project', projectId, snippetId: null, authorId: null, groupId: null },
});

const SAME = 'The source and the destination are the same storage';

/** From which states one comes to another. */
const BEFORE: Partial<Record<StorageMoveState, readonly StorageMoveState[]>> = {
  started: ['scheduled'],
  replicated: ['scheduled', 'started'],
  failed: ['scheduled', 'started'],
  finished: ['replicated'],
  cleanup_failed: ['replicated'],
};

export const storageMoveDecider: Decider<StorageMovesState, StorageMoveCommand, StorageMoveEvent> = {
  initialState: { open: null, storage: null },

  decide(command, { open, storage }) {
    const { moveId, kind, projectId, snippetId, authorId, groupId } = command;
    const ids = { moveId, kind, projectId, snippetId, authorId, groupId };
    const advanced = (from: StorageMoveState, to: StorageMoveState, errorMessage: string | null) => ({
      type: 'StorageMoveAdvanced' as const,
      data: {
        ...ids,
        changes: { state: to, ...(errorMessage === null ? {} : { errorMessage }) },
        previous: { state: from, ...(errorMessage === null ? {} : { errorMessage: null }) },
      },
    });
    switch (command.type) {
      case 'ScheduleMove': {
        const { destination } = command;
        if (open !== null) throw new Rejection('validation_failed', { fields: { [kind]: ['is read only'] } });
        const counted = storage ?? DEFAULT_STORAGE;
        const source = command.source ?? counted;
        if (kind !== 'project' && source !== counted) return [];
        const state = 'scheduled';
        const scheduled = {
          type: 'StorageMoveScheduled' as const,
          data: { ...ids, source, destination, state: 'scheduled' as const },
        };
        if (source === destination) return [scheduled, advanced(state, 'failed', SAME)];
        // Texts of snippets are in the log, and groups have no repository: there is nothing to copy.
        return kind === 'project' ? [scheduled] : [scheduled, advanced(state, 'finished', null)];
      }
      case 'AdvanceMove': {
        const { to, errorMessage } = command;
        if (open?.moveId !== moveId || !BEFORE[to]?.includes(open.state)) return [];
        return [advanced(open.state, to, errorMessage)];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'StorageMoveScheduled') {
      const { moveId, source, destination } = event.data;
      return { ...state, open: { moveId, source, destination, state: 'scheduled' } };
    }
    const { state: now } = event.data.changes;
    if (state.open === null || now === undefined) return state;
    const arrived = { ...state, storage: state.open.destination };
    switch (now) {
      case 'failed':
        return { ...state, open: null };
      case 'finished':
      case 'cleanup_failed':
        return { ...arrived, open: null };
      default:
        return { ...state, open: { ...state.open, state: now } };
    }
  },
};

export interface RequestMoves {
  type: 'RequestMoves';
  requestId: string;
  kind: Moved['kind'];
  source: string;
  destination: string | null;
}

export const movesRequestStream = (requestId: string) => `storageMoves-${requestId}`;

export const movesRequestDecider: Decider<boolean, RequestMoves, StorageMovesRequestedEvent> = {
  initialState: false,
  decide: ({ type: _, ...data }, isRequested) =>
    isRequested ? [] : [{ type: 'StorageMovesRequested', data }],
  evolve: () => true,
};
