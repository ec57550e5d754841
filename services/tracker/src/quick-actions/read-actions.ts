import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq, oneOf, or } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { iterations } from '../iterations/iterations.projection.ts';
import { branchKey, tipsOf } from '../merge-requests/branch-tips.collection.ts';
import { milestonesFor } from '../milestones/milestone.query.ts';
import { milestones } from '../milestones/milestones.projection.ts';
import { assignable } from '../targets/assignable.ts';
import { type CommandLine, splitCommands } from './command-lines.ts';
import { iterationIn, milestoneIn } from './content-actions.ts';
import { usernamesIn } from './people-actions.ts';
import type { ActionContext, Outcome, QuickAction, Subject, Wishes } from './quick-action.ts';
import { lineEndings, quickActions } from './quick-actions.ts';

/** A text without its commands, and what these wish. */
export interface ReadActions extends Pick<ActionContext, 'wishes' | 'times'> {
  text: string;
  hasCommands: boolean;
  outcomes: readonly { name: string; outcome: Outcome | null }[];
  /** Whether commands were left out, because there are too many. */
  tooMany: boolean;
}

export interface Writer {
  caller: Principal;
  /** Their access level where the target is. */
  level: number;
}

/** The commands of a text that are applied. */
export const MOST_COMMANDS = 100;
/** The characters of an argument, and the users of a text, that are looked at. */
const MOST_ARGUMENT = 2_000;
const MOST_USERS = 100;

const NAMES = new Set(quickActions.keys());

/** Reads the commands of a text, with the rights of its writer. Nothing is changed yet. */
export async function readActions(
  ports: Pick<ServicePorts, 'directory' | 'readStore' | 'configuration' | 'clock'>,
  given: string,
  subject: Subject,
  { caller, level }: Writer,
): Promise<ReadActions> {
  const { text, commands } = splitCommands(given, NAMES, lineEndings);
  const applied = commands.slice(0, MOST_COMMANDS);
  const context: ActionContext = {
    subject,
    writer: { userId: caller.userId, username: caller.username, level },
    edition: ports.configuration.EDITION,
    today: ports.clock().toISOString().slice(0, 10),
    users: await usersOf(ports, subject, caller, argumentsOf(applied, 'users')),
    branches: await branchesOf(ports, subject, argumentsOf(applied, 'branch')),
    milestones: await milestonesOf(ports, subject, argumentsOf(applied, 'milestone')),
    iterations: await iterationsOf(ports, subject, argumentsOf(applied, 'iteration')),
    wishes: {},
    times: [],
  };
  const outcomes = applied.map(({ name, argument }) => {
    const action = quickActions.get(name)!;
    const mayBe =
      action.on.includes(subject.type) &&
      (action.onNew || !subject.isNew) &&
      argument.length <= MOST_ARGUMENT;
    const outcome = mayBe && action.may(context) ? action.apply(context, argument) : null;
    return { name: action.names[0], outcome };
  });
  const { wishes, times } = context;
  const tooMany = commands.length > applied.length;
  return { text, hasCommands: commands.length > 0, wishes, times, outcomes, tooMany };
}

const argumentsOf = (commands: readonly CommandLine[], takes: NonNullable<QuickAction['takes']>) =>
  commands
    .filter(
      ({ name, argument }) => quickActions.get(name)!.takes === takes && argument.length <= MOST_ARGUMENT,
    )
    .map(({ argument }) => argument);

async function usersOf(
  { directory }: Pick<ServicePorts, 'directory'>,
  { projectId, type }: Subject,
  { username }: Principal,
  named: readonly string[],
): Promise<ActionContext['users']> {
  const words = named.flatMap(usernamesIn).map((word) => (word === 'me' ? username : word).toLowerCase());
  const names = [...new Set(words)].slice(0, MOST_USERS);
  const users = (await Promise.all(names.map((name) => directory.userByName(name)))).filter(
    (user) => user !== undefined,
  );
  const feature = type === 'Issue' ? 'issues' : 'merge_requests';
  const ids = users.map(({ id }) => id);
  const able = new Set(ids.length === 0 ? [] : await assignable(directory, { projectId, feature }, ids));
  return new Map(
    users
      .filter(({ id }) => able.has(id))
      .map(({ id, username }) => [username.toLowerCase(), { id, username }]),
  );
}

async function branchesOf(
  { readStore }: Pick<ServicePorts, 'readStore'>,
  { projectId }: Subject,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const tips = await tipsOf(
    readStore,
    names.map((name) => branchKey(projectId, name)),
  );
  return new Set(names.filter((name) => tips.has(branchKey(projectId, name))));
}

async function milestonesOf(
  { readStore, directory }: Pick<ServicePorts, 'readStore' | 'directory'>,
  { projectId }: Subject,
  named: readonly string[],
): Promise<ActionContext['milestones']> {
  if (named.length === 0) return new Map();
  const titles = [...new Set(named.map(milestoneIn))];
  const among = await milestonesFor(directory, { projectId, groupId: null });
  const found = await readStore.find(milestones, {
    where: and(oneOf('title', titles), eq('state', 'active'), among),
    limit: titles.length,
  });
  return new Map(found.map(({ title, id }) => [title, id]));
}

const MOST_ITERATIONS = 1000;

/** A number is an id before it is a title. Of several with one title the first counts that is not over. */
async function iterationsOf(
  { readStore, directory, clock }: Pick<ServicePorts, 'readStore' | 'directory' | 'clock'>,
  { projectId }: Subject,
  named: readonly string[],
): Promise<ActionContext['iterations']> {
  const names = [...new Set(named.map(iterationIn))].filter(Boolean);
  if (names.length === 0) return new Map();
  const ids = names.filter((name) => /^\d{1,15}$/.test(name)).map(Number);
  const groupIds = (await directory.project(projectId))?.ancestors ?? [];
  const found = await readStore.find(iterations, {
    where: and(or(oneOf('title', names), oneOf('id', ids)), oneOf('groupId', groupIds)),
    ...{ sort: [asc('startDate')], limit: MOST_ITERATIONS },
  });
  const today = clock().toISOString().slice(0, 10);
  const meant = (name: string) => {
    const titled = found.filter(({ title }) => title === name);
    return (
      found.find(({ id }) => String(id) === name) ??
      titled.find(({ dueDate }) => dueDate >= today) ??
      titled.at(-1)
    );
  };
  return new Map(
    names.flatMap((name) => {
      const iteration = meant(name);
      return iteration ? [[name, { id: iteration.id, title: iteration.title }] as const] : [];
    }),
  );
}

/** Parameters with a text without its commands, and with what these wish, which goes before. */
export function withWishes<P extends object>(
  params: P,
  { text, wishes }: Pick<ReadActions, 'text' | 'wishes'>,
) {
  const { add_labels: added = [], remove_labels: removed = [] } = params as Pick<
    Wishes,
    'add_labels' | 'remove_labels'
  >;
  return {
    ...params,
    ...wishes,
    description: text,
    add_labels: [...added, ...(wishes.add_labels ?? [])],
    remove_labels: [...removed, ...(wishes.remove_labels ?? [])],
  };
}
