import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  type EpicEvent as AnyEpicEvent,
  EPIC_CLOSED,
  EPIC_REOPENED,
  type EpicUpdated,
} from '@forgelog/contracts/tracker/epics/epic.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { type LabelWishes, labelsAfter } from '../labels/given-labels.rules.ts';
import { requireValid } from '../targets/target-content.rules.ts';

/** Those of its own stream. */
type EpicEvent = Exclude<AnyEpicEvent, { type: 'EpicNested' }>;

/** What people write into an epic. */
export type EpicContent = Required<EventOf<typeof EpicUpdated>['data']['changes']>;

export type EpicState =
  | { status: 'absent' }
  | ({ status: 'opened' | 'closed'; epicId: number } & EpicContent)
  | { status: 'deleted' };

/** Which epic: the number that its stream is named after. */
interface Place {
  groupId: number;
  iid: number;
}

export type EpicCommand = Place &
  (
    | {
        type: 'OpenEpic';
        epicId: number;
        authorId: number;
        content: EpicContent;
        createdAt: string | null;
      }
    | {
        type: 'UpdateEpic';
        /** Undefined keeps the current value. */
        changes: { [Name in keyof EpicContent]?: EpicContent[Name] | undefined };
        labels: LabelWishes;
        stateEvent: 'close' | 'reopen' | null;
        updatedAt: string | null;
      }
    | { type: 'DeleteEpic' }
  );

export const epicStream = ({ groupId, iid }: Place) => `epic-${groupId}-${iid}`;

export const epicDecider: Decider<EpicState, EpicCommand, EpicEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { groupId, iid } = command;
    if (command.type === 'OpenEpic') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { epicId, authorId, createdAt } = command;
      const content = { ...command.content, title: command.content.title.trim() };
      requireValid(content);
      requireDaysInOrder(content);
      return [{ type: 'EpicOpened', data: { epicId, groupId, iid, authorId, ...content, createdAt } }];
    }
    if (state.status === 'absent' || state.status === 'deleted') throw new Rejection('record_not_found');
    const epic = { epicId: state.epicId, groupId, iid };
    switch (command.type) {
      case 'UpdateEpic':
        return update(command, state, epic);
      case 'DeleteEpic':
        return [{ type: 'EpicDeleted', data: epic }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'EpicOpened') return { ...event.data, status: 'opened' };
    if (state.status === 'absent' || state.status === 'deleted') return state;
    switch (event.type) {
      case 'EpicUpdated':
        return { ...state, ...event.data.changes };
      case 'EpicClosed':
        return { ...state, status: 'closed' };
      case 'EpicReopened':
        return { ...state, status: 'opened' };
      case 'EpicDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};

function update(
  { changes: wished, labels, stateEvent, updatedAt }: Extract<EpicCommand, { type: 'UpdateEpic' }>,
  state: Extract<EpicState, { status: 'opened' | 'closed' }>,
  epic: { epicId: number; groupId: number; iid: number },
): EpicEvent[] {
  const { title = state.title } = wished;
  const change = changesFrom<EpicContent>(state, {
    ...wished,
    title: title.trim(),
    ...labelsAfter(state, labels),
  });
  const events: EpicEvent[] = [];
  if (change !== null || updatedAt !== null) {
    const { changes, previous } = change ?? { changes: {}, previous: {} };
    const wanted = { ...state, ...changes };
    requireValid(wanted);
    requireDaysInOrder(wanted);
    events.push({ type: 'EpicUpdated', data: { ...epic, changes, previous, updatedAt } });
  }
  if (stateEvent === 'close' && state.status === 'opened')
    events.push({ type: 'EpicClosed', data: { ...epic, ...EPIC_CLOSED } });
  if (stateEvent === 'reopen' && state.status === 'closed')
    events.push({ type: 'EpicReopened', data: { ...epic, ...EPIC_REOPENED } });
  return events;
}

/** The days count where they are fixed. */
export const daysOf = ({
  startDate,
  startDateIsFixed,
  dueDate,
  dueDateIsFixed,
}: Pick<EpicContent, 'startDate' | 'startDateIsFixed' | 'dueDate' | 'dueDateIsFixed'>) => ({
  first: startDateIsFixed ? startDate : null,
  last: dueDateIsFixed ? dueDate : null,
});

function requireDaysInOrder(content: EpicContent): void {
  const { first, last } = daysOf(content);
  if (first !== null && last !== null && last < first)
    throw new Rejection('validation_failed', { fields: { due_date: ['must be greater than start date'] } });
}
