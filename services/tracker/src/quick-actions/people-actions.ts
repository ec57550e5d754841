import { type ActionContext, BOTH, MERGE_REQUEST, mayPlan, type QuickAction } from './quick-action.ts';

interface User {
  id: number;
  username: string;
}

/** The words of an argument that stand for users, without `@`. */
export const usernamesIn = (argument: string): string[] =>
  argument
    .split(/[\s,]+/)
    .map((word) => word.replace(/^@/, ''))
    .filter((word) => word !== '' && word !== 'and');

function usersIn({ users, writer }: ActionContext, argument: string): User[] {
  const found = new Map<number, User>();
  for (const word of usernamesIn(argument)) {
    const user = users.get((word === 'me' ? writer.username : word).toLowerCase());
    if (user) found.set(user.id, user);
  }
  return [...found.values()];
}

/** `@ada`, `@ada and @bob`, `@ada, @bob, and @eve` */
function sentence(users: readonly User[]): string {
  const names = users.map(({ username }) => `@${username}`);
  if (names.length < 3) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}

/** People in one role: the community edition knows one of each. */
interface Role {
  wish: 'assignee_ids' | 'reviewer_ids';
  /** `assignee` */
  word: string;
  now(context: ActionContext): readonly number[];
}

const present = (context: ActionContext, { wish, now }: Role) => context.wishes[wish] ?? now(context);
const few = ({ edition }: ActionContext, users: readonly User[]) =>
  edition === 'free' ? users.slice(0, 1) : users;
const plural = ({ word }: Role, count: number) => (count === 1 ? word : `${word}s`);

function add(context: ActionContext, role: Role, argument: string): readonly User[] {
  const users = few(context, usersIn(context, argument));
  if (users.length === 0) return [];
  const ids = users.map(({ id }) => id);
  const before = context.edition === 'free' ? [] : present(context, role);
  context.wishes[role.wish] = [...new Set([...before, ...ids])];
  return users;
}

function remove(context: ActionContext, role: Role, argument: string): string | null {
  const before = present(context, role);
  const named = usersIn(context, argument).filter(({ id }) => before.includes(id));
  if (usernamesIn(argument).length > 0 && named.length === 0) return null;
  const gone = named.length === 0 ? before : named.map(({ id }) => id);
  context.wishes[role.wish] = before.filter((id) => !gone.includes(id));
  const who = named.length === 0 ? '' : ` ${sentence(named)}`;
  return named.length === 0 && gone.length > 1
    ? `Removed all ${role.word}s.`
    : `Removed ${plural(role, gone.length)}${who}.`;
}

function replace(context: ActionContext, role: Role, argument: string): readonly User[] {
  const users = few(context, usersIn(context, argument));
  if (users.length > 0) context.wishes[role.wish] = users.map(({ id }) => id);
  return users;
}

const ASSIGNEE: Role = {
  wish: 'assignee_ids',
  word: 'assignee',
  now: ({ subject }) => subject.assigneeIds,
};
const REVIEWER: Role = {
  wish: 'reviewer_ids',
  word: 'reviewer',
  now: ({ subject }) => subject.reviewerIds ?? [],
};
const NO_ASSIGNEE = 'Failed to assign a user because no user was found.';
const NO_REVIEWER = 'Failed to assign a reviewer because no user was found.';
const asReviewer = (users: readonly User[]) => `${sentence(users)} as ${plural(REVIEWER, users.length)}`;

const assigneeAction = {
  on: BOTH,
  takes: 'users',
  may: mayPlan,
} as const;
const reviewerAction = { ...assigneeAction, on: MERGE_REQUEST } as const;

/** Commands for those who work on it, and who review it. */
export const peopleActions: readonly QuickAction[] = [
  {
    ...assigneeAction,
    names: ['assign'],
    onNew: true,
    apply(context, argument) {
      const users = add(context, ASSIGNEE, argument);
      return users.length === 0 ? NO_ASSIGNEE : `Assigned ${sentence(users)}.`;
    },
  },
  {
    ...assigneeAction,
    names: ['reassign'],
    onNew: false,
    apply(context, argument) {
      const users = replace(context, ASSIGNEE, argument);
      return users.length === 0
        ? NO_ASSIGNEE
        : `Changed ${plural(ASSIGNEE, users.length)} to ${sentence(users)}.`;
    },
  },
  {
    ...assigneeAction,
    names: ['unassign'],
    onNew: false,
    may: (context) => mayPlan(context) && present(context, ASSIGNEE).length > 0,
    apply: (context, argument) => remove(context, ASSIGNEE, argument),
  },
  {
    ...reviewerAction,
    names: ['assign_reviewer', 'reviewer', 'request_review'],
    onNew: true,
    apply(context, argument) {
      const users = add(context, REVIEWER, argument);
      return users.length === 0 ? NO_REVIEWER : `Assigned ${asReviewer(users)}.`;
    },
  },
  {
    ...reviewerAction,
    names: ['reassign_reviewer'],
    onNew: false,
    apply(context, argument) {
      const users = replace(context, REVIEWER, argument);
      return users.length === 0
        ? NO_REVIEWER
        : `Changed ${plural(REVIEWER, users.length)} to ${sentence(users)}.`;
    },
  },
  {
    ...reviewerAction,
    names: ['unassign_reviewer', 'remove_reviewer'],
    onNew: false,
    may: (context) => mayPlan(context) && present(context, REVIEWER).length > 0,
    apply: (context, argument) => remove(context, REVIEWER, argument),
  },
];
