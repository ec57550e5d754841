import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { toggleAward } from '../award-emoji/award.commands.ts';
import { chooseSubscription } from '../subscriptions/subscription.commands.ts';
import type { Target, TargetKind } from '../targets/target.ts';
import { finishTodoOn, markTodo } from '../todos/todo.commands.ts';
import type { CommandChanges, Deeds, Wishes } from './quick-action.ts';
import { MOST_COMMANDS, type ReadActions, readActions } from './read-actions.ts';

/** What the commands of a text did: for the answer to whoever wrote it. */
export interface Applied {
  commandsChanges: CommandChanges;
  summary: string[];
}

/** The commands of what the caller writes about a target that is there. */
export function quickActionCommands(ports: ServicePorts, kind: TargetKind) {
  const { actions, subscriptions, todos, awards } = kind;

  /** A target of the kind as commands find it; undefined where the kind has none, and texts stay as they are. */
  const read = (request: ApiRequest, target: Target, text: string): Promise<ReadActions> | undefined =>
    actions &&
    readActions(ports, text, actions.subjectOf(target), { caller: request.caller, level: target.level });

  function deedsOn(request: ApiRequest, target: Target): Deeds {
    const { caller, metadata } = request;
    const by = { caller, metadata };
    return {
      subscribe: async (subscribed) =>
        subscriptions !== undefined &&
        chooseSubscription(ports, target, subscriptions.participationOf(target), by, subscribed),
      todo: async (pending) =>
        todos !== undefined &&
        (pending ? (await markTodo(ports, target, by)) !== undefined : finishTodoOn(ports, target, by)),
      award: async (name) => awards !== undefined && toggleAward(ports, target, by, name),
      approve: async (approved) => (await actions?.approve?.(ports, target, request, approved)) ?? false,
      merge: async () => (await actions?.merge?.(ports, target, request)) ?? false,
      rebase: async () => (await actions?.rebase?.(ports, target, request)) ?? false,
    };
  }

  /** What the commands do besides the record, in their order. */
  async function doDeeds(request: ApiRequest, target: Target, { outcomes }: ReadActions) {
    const deeds = deedsOn(request, target);
    const told: string[] = [];
    const changes: CommandChanges = {};
    for (const { name, outcome } of outcomes) {
      if (outcome === null) told.push(couldNot(name));
      else if (typeof outcome === 'string') told.push(outcome);
      else {
        const done = await unlessRefused(outcome.done(deeds));
        if (done === false) told.push(couldNot(name));
        else {
          told.push(done === true ? outcome.told : done);
          Object.assign(changes, outcome.changes);
        }
      }
    }
    return { told, changes };
  }

  return {
    read,
    doDeeds,

    /** Changes the record by one append, then does the rest. What is refused is told in the summary. */
    async apply(request: ApiRequest, target: Target, reading: ReadActions): Promise<Applied> {
      const { wishes, times, tooMany } = reading;
      const changesRecord = Object.keys(wishes).length > 0 || times.length > 0;
      const change = async () => {
        await actions!.change(ports, target, { wishes, times }, request);
        return true;
      };
      const isChanged = !changesRecord || (await unlessRefused(change()));
      const outcomes = reading.outcomes.map(({ name, outcome }) =>
        isChanged || typeof outcome !== 'string' ? { name, outcome } : { name, outcome: null },
      );
      const { told, changes } = await doDeeds(request, target, { ...reading, outcomes });
      if (tooMany) told.push(`Only the first ${MOST_COMMANDS} commands are applied.`);
      const own = isChanged ? { ...given(wishes), ...timesTold(reading) } : {};
      return { commandsChanges: { ...own, ...changes }, summary: [told.join(' ')] };
    },
  };
}

const couldNot = (name: string) => `Could not apply ${name} command.`;

/** A refusal fails one command, and not the text that it stands in. */
async function unlessRefused<T>(deed: Promise<T>): Promise<T | false> {
  try {
    return await deed;
  } catch (error) {
    if (error instanceof Rejection || error instanceof ConflictError) return false;
    throw error;
  }
}

function given({ add_labels = [], remove_labels = [], ...rest }: Wishes): CommandChanges {
  return {
    ...rest,
    ...(add_labels.length > 0 && { add_labels }),
    ...(remove_labels.length > 0 && { remove_labels }),
  };
}

function timesTold({ times }: Pick<ReadActions, 'times'>) {
  const told: CommandChanges = {};
  for (const time of times)
    switch (time.type) {
      case 'SetTimeEstimate':
        told.time_estimate = time.seconds;
        break;
      case 'AddTimeSpent':
        told.spend_time = { duration: time.seconds, user_id: time.userId };
        break;
      case 'ResetTimeSpent':
        told.spend_time = { duration: 'reset' };
        break;
      default:
        time satisfies never;
    }
  return told;
}
