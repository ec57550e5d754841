import { Rejection } from '@forgelog/contracts/errors.ts';
import { type Change, changesFrom } from '@forgelog/eventing/changes.ts';

/** The time of a target in seconds; an estimate of 0 stands for none. */
export interface Times {
  timeEstimate: number;
  timeSpent: number;
}

export type TimeCommand =
  | { type: 'SetTimeEstimate'; seconds: number }
  | { type: 'AddTimeSpent'; userId: number; seconds: number; summary: string | null }
  | { type: 'ResetTimeSpent' };

/** Clients hold seconds in 32 bits. */
export const MAX_SECONDS = 2_147_483_647;

/** The time after a command that is not refused. */
export function timesAfter({ timeEstimate, timeSpent }: Times, command: TimeCommand): Times {
  switch (command.type) {
    case 'SetTimeEstimate':
      return { timeEstimate: command.seconds, timeSpent };
    case 'AddTimeSpent':
      return { timeEstimate, timeSpent: timeSpent + command.seconds };
    case 'ResetTimeSpent':
      return { timeEstimate, timeSpent: 0 };
    default:
      return command satisfies never;
  }
}

/** Books in turn, each on what the ones before left. */
export function bookInTurn<Event>(
  book: (command: TimeCommand, times: Times) => Event[],
  commands: readonly TimeCommand[],
  times: Times,
): Event[] {
  let now = times;
  return commands.flatMap((command) => {
    const events = book(command, now);
    now = timesAfter(now, command);
    return events;
  });
}

/** The names of a target's own events of time. */
interface EventTypes {
  estimateSet: string;
  spentAdded: string;
  spentReset: string;
}

type TimeEvent<Types extends EventTypes, Names> =
  | { type: Types['estimateSet']; data: Names & { seconds: number } & ChangeOf<'timeEstimate'> }
  | {
      type: Types['spentAdded'];
      data: Names & { userId: number; seconds: number; summary: string | null };
    }
  | { type: Types['spentReset']; data: Names & ChangeOf<'timeSpent'> };

type ChangeOf<Field extends keyof Times> = Change<Pick<Times, Field>>;

/** The part of a target's decider that books time, with the target's own events. */
export const timeBooking =
  <const Types extends EventTypes>(types: Types) =>
  /** @param names what each event of the target begins with: ids and number */
  <Names>(command: TimeCommand, times: Times, names: Names): TimeEvent<Types, Names>[] => {
    switch (command.type) {
      case 'SetTimeEstimate': {
        const { seconds } = command;
        if (seconds < 0)
          throw invalid('time_estimate', 'must have a valid format and be greater than or equal to zero.');
        if (seconds > MAX_SECONDS)
          throw invalid('time_estimate', `must be less than or equal to ${MAX_SECONDS}`);
        const { timeEstimate } = times;
        const change = changesFrom({ timeEstimate }, { timeEstimate: seconds });
        return change === null ? [] : [{ type: types.estimateSet, data: { ...names, seconds, ...change } }];
      }
      case 'AddTimeSpent': {
        const { userId, seconds, summary } = command;
        const total = times.timeSpent + seconds;
        if (total < 0) throw invalid('base', 'Time to subtract exceeds the total time spent');
        if (total > MAX_SECONDS)
          throw invalid('base', `Total time spent must be less than or equal to ${MAX_SECONDS}`);
        if (seconds === 0) return [];
        return [{ type: types.spentAdded, data: { ...names, userId, seconds, summary } }];
      }
      case 'ResetTimeSpent': {
        const { timeSpent } = times;
        const change = changesFrom({ timeSpent }, { timeSpent: 0 });
        return change === null ? [] : [{ type: types.spentReset, data: { ...names, ...change } }];
      }
      default:
        return command satisfies never;
    }
  };

function invalid(field: string, problem: string): Rejection {
  return new Rejection('validation_failed', { fields: { [field]: [problem] } });
}
