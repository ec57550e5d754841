import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type {
  BoardEvent,
  BoardScoped,
  BoardUpdated,
} from '@forgelog/contracts/tracker/boards/board.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export type BoardAttributes = Required<EventOf<typeof BoardUpdated>['data']['changes']>;

/** What the issues on it have in common. */
export type BoardScope = Required<EventOf<typeof BoardScoped>['data']['changes']>;

/** One of both ids is there. */
export interface BoardPlace {
  projectId: number | null;
  groupId: number | null;
}

export type BoardState =
  | { status: 'absent' | 'deleted' }
  | ({ status: 'present'; boardId: number } & BoardPlace & BoardAttributes & BoardScope);

export type BoardList = BoardAttributes['lists'][number];

type Wanted = { [Name in 'name' | 'hideBacklogList' | 'hideClosedList']?: BoardAttributes[Name] | undefined };

export type BoardCommand =
  | ({ type: 'CreateBoard'; boardId: number; name: string } & BoardPlace)
  /** Undefined keeps the current value. */
  | {
      type: 'UpdateBoard';
      changes: Wanted;
      scope: { [Name in keyof BoardScope]?: BoardScope[Name] | undefined };
    }
  | ({ type: 'AddList' } & BoardList)
  /** A position behind the last one is the last. */
  | { type: 'MoveList'; listId: number; position: number }
  | { type: 'RemoveList'; listId: number }
  | { type: 'DeleteBoard' };

const NO_SCOPE: BoardScope = { milestoneId: null, assigneeId: null, scopeLabelIds: [], weight: null };

export const boardStream = (boardId: number): string => `board-${boardId}`;

/** A board is read as one answer, so that it has to end somewhere. */
export const MOST_LISTS = 100;

export const boardDecider: Decider<BoardState, BoardCommand, BoardEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    if (command.type === 'CreateBoard') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { type: _, ...board } = command;
      requireNamed(board.name);
      return [
        {
          type: 'BoardCreated',
          data: { ...board, hideBacklogList: false, hideClosedList: false, lists: [] },
        },
      ];
    }
    if (state.status !== 'present') throw new Rejection('record_not_found');
    const { boardId, projectId, groupId, lists } = state;
    const ids = { boardId, projectId, groupId };
    const changedTo = (wanted: Partial<BoardAttributes> | Wanted): BoardEvent[] => {
      const change = changesFrom<BoardAttributes>(state, wanted);
      return change === null ? [] : [{ type: 'BoardUpdated', data: { ...ids, ...change } }];
    };
    const scopedTo = (wanted: Parameters<typeof changesFrom<BoardScope>>[1]): BoardEvent[] => {
      const change = changesFrom<BoardScope>(state, wanted);
      return change === null ? [] : [{ type: 'BoardScoped', data: { ...ids, ...change } }];
    };
    const others = (listId: number) => lists.filter((list) => list.listId !== listId);
    switch (command.type) {
      case 'UpdateBoard':
        if (command.changes.name !== undefined) requireNamed(command.changes.name);
        return [...changedTo(command.changes), ...scopedTo(command.scope)];
      case 'AddList': {
        const { listId, kind, ofId } = command;
        if (lists.some((list) => list.kind === kind && list.ofId === ofId))
          throw new Rejection('validation_failed', { fields: { [kind]: ['has already been taken'] } });
        if (lists.length >= MOST_LISTS)
          throw new Rejection('bad_request', { reason: `A board has ${MOST_LISTS} lists at most` });
        return changedTo({ lists: [...lists, { listId, kind, ofId }] });
      }
      case 'MoveList': {
        const moved = lists.find(({ listId }) => listId === command.listId);
        if (!moved) throw new Rejection('record_not_found');
        return changedTo({ lists: others(command.listId).toSpliced(command.position, 0, moved) });
      }
      case 'RemoveList':
        if (others(command.listId).length === lists.length) throw new Rejection('record_not_found');
        return changedTo({ lists: others(command.listId) });
      case 'DeleteBoard':
        return [{ type: 'BoardDeleted', data: ids }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, { type, data }) {
    switch (type) {
      case 'BoardCreated':
        return { status: 'present', ...NO_SCOPE, ...data };
      case 'BoardUpdated':
      case 'BoardScoped':
        return state.status === 'present' ? { ...state, ...data.changes } : state;
      case 'BoardDeleted':
        return { status: 'deleted' };
      default:
        return type satisfies never;
    }
  },
};

function requireNamed(name: string): void {
  if (name.trim() === '') throw new Rejection('validation_failed', { fields: { name: ["can't be blank"] } });
}
