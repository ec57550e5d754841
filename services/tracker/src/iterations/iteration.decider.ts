import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { MOST_TITLE } from '@forgelog/contracts/tracker/iterations/iteration.api.ts';
import type {
  IterationCadenceUpdated,
  IterationEvent,
  IterationUpdated,
} from '@forgelog/contracts/tracker/iterations/iteration.events.ts';
import { MOST_CADENCES } from '@forgelog/contracts/tracker/iterations/iteration-cadence.api.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { missingSpans } from './cadence-days.ts';

export type CadenceAttributes = Required<EventOf<typeof IterationCadenceUpdated>['data']['changes']>;
export type IterationAttributes = Required<EventOf<typeof IterationUpdated>['data']['changes']>;

type Iteration = IterationAttributes & { cadenceId: number };

/** All cadences of a group, and their iterations. */
export interface IterationsState {
  /** Numbers are not given again. */
  lastIid: number;
  cadences: ReadonlyMap<number, CadenceAttributes>;
  iterations: ReadonlyMap<number, Iteration>;
}

type Wanted<Attributes> = { [Name in keyof Attributes]?: Attributes[Name] | undefined };

/** What makes iterations where they are due: as many as there are ids for. */
interface Schedules {
  /** `YYYY-MM-DD` */
  today: string;
  iterationIds: readonly number[];
}

export type IterationCommand = { groupId: number; cadenceId: number } & (
  | ({ type: 'CreateCadence'; attributes: CadenceAttributes } & Schedules)
  /** Undefined keeps the current value. */
  | ({ type: 'UpdateCadence'; changes: Wanted<CadenceAttributes> } & Schedules)
  | ({ type: 'ScheduleIterations' } & Schedules)
  | { type: 'DeleteCadence' }
  | { type: 'CreateIteration'; iterationId: number; attributes: Omit<IterationAttributes, 'hasEnded'> }
  | {
      type: 'UpdateIteration';
      iterationId: number;
      changes: Omit<Wanted<IterationAttributes>, 'hasEnded'>;
      today: string;
    }
  /** Its issues went on before. */
  | { type: 'EndIteration'; iterationId: number; today: string }
  | { type: 'DeleteIteration'; iterationId: number }
);

export const iterationsStream = (groupId: number): string => `iterations-${groupId}`;

/** A group has so many at most, since a stream holds all of them. */
export const MOST_ITERATIONS = 5000;

export const iterationDecider: Decider<IterationsState, IterationCommand, IterationEvent> = {
  initialState: { lastIid: 0, cadences: new Map(), iterations: new Map() },

  decide(command, state) {
    const { groupId, cadenceId } = command;
    const cadence = { cadenceId, groupId };
    if (command.type === 'CreateCadence') {
      const { attributes } = command;
      requireCadence(attributes, state);
      if (state.cadences.size >= MOST_CADENCES)
        throw new Rejection('bad_request', { reason: `A group has ${MOST_CADENCES} cadences at most` });
      return [
        { type: 'IterationCadenceCreated', data: { ...cadence, ...attributes } },
        ...scheduled(command, attributes, state),
      ];
    }
    const present = state.cadences.get(cadenceId);
    if (!present) throw new Rejection('record_not_found');
    switch (command.type) {
      case 'UpdateCadence': {
        const change = changesFrom<CadenceAttributes>(present, command.changes);
        if (change === null) return [];
        const next = { ...present, ...change.changes };
        requireCadence(next, state, cadenceId);
        return [
          { type: 'IterationCadenceUpdated', data: { ...cadence, ...change } },
          ...scheduled(command, next, state),
        ];
      }
      case 'ScheduleIterations':
        return scheduled(command, present, state);
      case 'DeleteCadence':
        return [{ type: 'IterationCadenceDeleted', data: cadence }];
      case 'CreateIteration': {
        requireByHand(present);
        const attributes = { ...command.attributes, hasEnded: false };
        requireIteration(attributes, othersOf(state, cadenceId));
        if (state.iterations.size >= MOST_ITERATIONS)
          throw new Rejection('bad_request', { reason: `A group has ${MOST_ITERATIONS} iterations at most` });
        const { iterationId } = command;
        const iid = state.lastIid + 1;
        return [{ type: 'IterationCreated', data: { iterationId, ...cadence, iid, ...attributes } }];
      }
      default:
        return ofIteration(command, present, state);
    }
  },

  evolve(state, event) {
    const { cadenceId } = event.data;
    const cadences = new Map(state.cadences);
    const iterations = new Map(state.iterations);
    switch (event.type) {
      case 'IterationCadenceCreated': {
        const { cadenceId: _, groupId: __, ...attributes } = event.data;
        return { ...state, cadences: cadences.set(cadenceId, attributes) };
      }
      case 'IterationCadenceUpdated': {
        const present = cadences.get(cadenceId);
        if (present) cadences.set(cadenceId, { ...present, ...event.data.changes });
        return { ...state, cadences };
      }
      case 'IterationCadenceDeleted': {
        cadences.delete(cadenceId);
        const rest = [...iterations].filter(([, iteration]) => iteration.cadenceId !== cadenceId);
        return { ...state, cadences, iterations: new Map(rest) };
      }
      case 'IterationCreated': {
        const { iterationId, iid, title, description, startDate, dueDate, hasEnded } = event.data;
        iterations.set(iterationId, { cadenceId, title, description, startDate, dueDate, hasEnded });
        return { ...state, lastIid: iid, iterations };
      }
      case 'IterationUpdated': {
        const present = iterations.get(event.data.iterationId);
        if (present) iterations.set(event.data.iterationId, { ...present, ...event.data.changes });
        return { ...state, iterations };
      }
      case 'IterationDeleted':
        iterations.delete(event.data.iterationId);
        return { ...state, iterations };
      default:
        return event satisfies never;
    }
  },
};

function ofIteration(
  command: Extract<IterationCommand, { type: 'UpdateIteration' | 'EndIteration' | 'DeleteIteration' }>,
  cadence: CadenceAttributes,
  state: IterationsState,
): IterationEvent[] {
  const { groupId, cadenceId, iterationId } = command;
  const ids = { iterationId, cadenceId, groupId };
  const present = state.iterations.get(iterationId);
  if (present?.cadenceId !== cadenceId) throw new Rejection('record_not_found');
  const { cadenceId: _, ...attributes } = present;
  const changedTo = (wanted: Wanted<IterationAttributes>): IterationEvent[] => {
    const change = changesFrom<IterationAttributes>(attributes, wanted);
    return change === null ? [] : [{ type: 'IterationUpdated', data: { ...ids, ...change } }];
  };
  switch (command.type) {
    case 'UpdateIteration': {
      const { changes, today } = command;
      const { startDate = present.startDate, dueDate = present.dueDate } = changes;
      const isMoved = startDate !== present.startDate || dueDate !== present.dueDate;
      if (isMoved) requireByHand(cadence);
      // One that ends later than it did goes on.
      const hasEnded = present.hasEnded && dueDate < today;
      const events = changedTo({ ...changes, hasEnded });
      if (events.length > 0)
        requireIteration(
          { ...attributes, ...definedIn(changes) },
          othersOf(state, cadenceId, iterationId),
          isMoved,
        );
      return events;
    }
    case 'EndIteration':
      return present.dueDate < command.today ? changedTo({ hasEnded: true }) : [];
    case 'DeleteIteration':
      requireByHand(cadence);
      return [{ type: 'IterationDeleted', data: ids }];
    default:
      return command satisfies never;
  }
}

const definedIn = <Attributes extends object>(wanted: Attributes): Attributes =>
  Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Attributes;

const othersOf = ({ iterations }: IterationsState, cadenceId: number, ownId?: number): Iteration[] =>
  [...iterations].flatMap(([id, iteration]) =>
    iteration.cadenceId === cadenceId && id !== ownId ? [iteration] : [],
  );

/** The iterations that the cadence lacks by this day. */
function scheduled(
  { groupId, cadenceId, today, iterationIds }: IterationCommand & Schedules,
  { automatic, active, startDate, durationInWeeks, iterationsInAdvance }: CadenceAttributes,
  state: IterationsState,
): IterationEvent[] {
  if (!automatic || !active || startDate === null) return [];
  if (durationInWeeks === null || iterationsInAdvance === null) return [];
  const schedule = { startDate, durationInWeeks, iterationsInAdvance };
  const room = Math.min(iterationIds.length, MOST_ITERATIONS - state.iterations.size);
  return missingSpans(schedule, othersOf(state, cadenceId), today)
    .slice(0, room)
    .map((span, at) => {
      const iid = state.lastIid + 1 + at;
      const ids = { iterationId: iterationIds[at]!, cadenceId, groupId, iid };
      const title = `Iteration ${iid}: ${longDay(span.startDate)} - ${longDay(span.dueDate)}`;
      return {
        type: 'IterationCreated',
        data: { ...ids, title, description: null, ...span, hasEnded: false },
      };
    });
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** `2030-01-07` → `January 7, 2030` */
function longDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return `${MONTHS[month - 1]} ${date}, ${year}`;
}

function requireByHand({ automatic }: CadenceAttributes): void {
  if (automatic)
    throw new Rejection('bad_request', {
      reason: 'The cadence makes its iterations by itself: only their title and description can be changed',
    });
}

const TAKEN = 'has already been taken';
const BLANK = "can't be blank";

/** Reports all problems at once. */
function requireCadence(given: CadenceAttributes, { cadences }: IterationsState, ownId?: number): void {
  const { title, automatic, startDate, durationInWeeks, iterationsInAdvance } = given;
  const fields: Record<string, string[]> = {};
  if (title.trim() === '') fields.title = [BLANK];
  else if (title.length > MOST_TITLE) fields.title = [tooLong(MOST_TITLE)];
  else if ([...cadences].some(([id, other]) => id !== ownId && other.title === title)) fields.title = [TAKEN];
  if (automatic) {
    if (startDate === null) fields.start_date = [BLANK];
    if (durationInWeeks === null) fields.duration_in_weeks = [BLANK];
    if (iterationsInAdvance === null) fields.iterations_in_advance = [BLANK];
  }
  requireNone(fields);
}

/** Reports all problems at once. @param isMoved whether its days are to be looked at */
function requireIteration(
  { title, startDate, dueDate }: Pick<IterationAttributes, 'title' | 'startDate' | 'dueDate'>,
  others: readonly Iteration[],
  isMoved = true,
): void {
  const fields: Record<string, string[]> = {};
  if (title !== null) {
    if (title.trim() === '') fields.title = [BLANK];
    else if (title.length > MOST_TITLE) fields.title = [tooLong(MOST_TITLE)];
    else if (others.some((other) => other.title === title)) fields.title = [TAKEN];
  }
  if (dueDate < startDate) fields.due_date = ['must be greater than start date'];
  else if (isMoved && others.some((other) => other.startDate <= dueDate && startDate <= other.dueDate))
    fields.base = ['Dates cannot overlap with other existing Iterations within this iterations cadence'];
  requireNone(fields);
}

const tooLong = (most: number) => `is too long (maximum is ${most} characters)`;

function requireNone(fields: Record<string, string[]>): void {
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
