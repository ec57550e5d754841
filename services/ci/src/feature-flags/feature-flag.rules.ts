import { MOST_SCOPES, MOST_STRATEGIES } from '@forgelog/contracts/ci/feature-flags/feature-flag.api.ts';
import type { FeatureFlagCreated } from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { ENVIRONMENT_SCOPE, ENVIRONMENT_SCOPE_RULE } from '../shared/environment-scope.ts';

export type FlagStrategy = EventOf<typeof FeatureFlagCreated>['data']['strategies'][number];

export interface FlagContent {
  name: string;
  description: string | null;
  active: boolean;
  strategies: FlagStrategy[];
}

export interface UserListContent {
  name: string;
  userXids: string;
}

/** Upstream's default for a project. */
const MOST_FLAGS = 200;
const MOST_LISTS = 200;
/** All flags and lists of a project together: every decision reads them. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
const MOST_XID_CHARACTERS = 256;

const NAME = /^[a-z]([-_a-z0-9]*[a-z0-9])?$/;
const NAME_RULE =
  "can contain only lowercase letters, digits, '_' and '-'. Must start with a letter, and cannot end with '-' or '_'";
const GROUP_ID = /^[a-z]{1,32}$/;
const STICKINESS = ['default', 'userId', 'sessionId', 'random'];

/** Parameters of the strategies, by name: each is there, and no other. */
const PARAMETERS: Readonly<Record<FlagStrategy['name'], readonly string[]>> = {
  default: [],
  gitlabUserList: [],
  gradualRolloutUserId: ['groupId', 'percentage'],
  flexibleRollout: ['groupId', 'rollout', 'stickiness'],
  userWithId: ['userIds'],
};

class Problems {
  readonly #fields: Record<string, string[]> = {};

  add(field: string, problem: string): void {
    const known = this.#fields[field] ?? [];
    if (!known.includes(problem)) this.#fields[field] = [...known, problem];
  }

  need(isMet: boolean, field: string, problem: string): void {
    if (!isMet) this.add(field, problem);
  }

  /** @throws Rejection with all of them, if there are any */
  refuse(): void {
    if (Object.keys(this.#fields).length > 0)
      throw new Rejection('validation_failed', { fields: this.#fields });
  }
}

const tooLong = (most: number) => `is too long (maximum is ${most} characters)`;

/**
 * Reports all problems at once, by field, in the words that clients know.
 * @param others the other flags of the project
 * @param lists ids of its user lists
 * @param size of all other flags and of the lists, in characters
 */
export function requireValidFlag(
  flag: FlagContent,
  { others, lists, size }: { others: readonly FlagContent[]; lists: ReadonlySet<number>; size: number },
): void {
  const problems = new Problems();
  const { name, description, strategies } = flag;
  problems.need(name !== '', 'name', "can't be blank");
  problems.need(name.length >= 2, 'name', 'is too short (minimum is 2 characters)');
  problems.need(name.length <= 63, 'name', tooLong(63));
  problems.need(NAME.test(name), 'name', NAME_RULE);
  problems.need(!others.some((other) => other.name === name), 'name', 'has already been taken');
  problems.need((description ?? '').length <= 255, 'description', tooLong(255));
  problems.need(
    others.length < MOST_FLAGS,
    'base',
    `Maximum number of project feature flags (${MOST_FLAGS}) exceeded`,
  );
  problems.need(
    strategies.length <= MOST_STRATEGIES,
    'strategies',
    `are too many (maximum is ${MOST_STRATEGIES})`,
  );
  for (const strategy of strategies) checkStrategy(strategy, lists, problems);
  checkSize(size + sizeOfFlag(flag), problems);
  problems.refuse();
}

/** Reports all problems at once, as `requireValidFlag`; `others` are the other lists of the project. */
export function requireValidList(
  list: UserListContent,
  { others, size }: { others: readonly UserListContent[]; size: number },
): void {
  const problems = new Problems();
  const { name, userXids } = list;
  problems.need(name.trim() !== '', 'name', "can't be blank");
  problems.need(name.length <= 255, 'name', tooLong(255));
  problems.need(!others.some((other) => other.name === name), 'name', 'has already been taken');
  problems.need(others.length < MOST_LISTS, 'base', `Maximum number of user lists (${MOST_LISTS}) exceeded`);
  checkXids(userXids, 'user_xids', 'user_xids', problems);
  checkSize(size + sizeOfList(list), problems);
  problems.refuse();
}

export const sizeOfFlag = ({ strategies }: FlagContent): number => JSON.stringify(strategies).length;
export const sizeOfList = ({ userXids }: UserListContent): number => userXids.length;

function checkSize(size: number, problems: Problems): void {
  const problem = `Feature flags and user lists of the project are too long (maximum is ${MOST_CHARACTERS} characters)`;
  problems.need(size <= MOST_CHARACTERS, 'base', problem);
}

function checkStrategy(
  { name, parameters, userListId, scopes }: FlagStrategy,
  lists: ReadonlySet<number>,
  problems: Problems,
): void {
  const given = Object.keys(parameters).toSorted();
  if (given.join() !== PARAMETERS[name].join())
    problems.add('strategies.parameters', `parameters are invalid: ${name} takes ${named(PARAMETERS[name])}`);
  else checkParameters(name, parameters, problems);
  if (name !== 'gitlabUserList') problems.need(userListId === null, 'strategies.user_list', 'must be blank');
  else if (userListId === null) problems.add('strategies.user_list', "can't be blank");
  else problems.need(lists.has(userListId), 'strategies.user_list', 'must belong to the same project');

  const field = 'strategies.scopes.environment_scope';
  problems.need(
    scopes.length <= MOST_SCOPES,
    'strategies.scopes',
    `are too many (maximum is ${MOST_SCOPES})`,
  );
  const seen = new Set<string>();
  for (const { environmentScope } of scopes) {
    problems.need(environmentScope !== '', field, "can't be blank");
    problems.need(ENVIRONMENT_SCOPE.test(environmentScope), field, ENVIRONMENT_SCOPE_RULE);
    problems.need(!seen.has(environmentScope), field, `(${environmentScope}) has already been taken`);
    seen.add(environmentScope);
  }
}

const named = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));

function checkParameters(
  name: FlagStrategy['name'],
  { groupId = '', percentage = '', rollout = '', stickiness = '', userIds = '' }: Record<string, string>,
  problems: Problems,
): void {
  const field = 'strategies.parameters';
  if (name === 'userWithId') checkXids(userIds, field, 'userIds', problems);
  if (name !== 'gradualRolloutUserId' && name !== 'flexibleRollout') return;
  const isShare = (text: string) => /^\d{1,3}$/.test(text) && Number(text) <= 100;
  problems.need(GROUP_ID.test(groupId), field, 'groupId parameter is invalid: 1 to 32 of the letters a to z');
  if (name === 'gradualRolloutUserId')
    problems.need(isShare(percentage), field, 'percentage must be a string between 0 and 100 inclusive');
  else {
    problems.need(isShare(rollout), field, 'rollout must be a string between 0 and 100 inclusive');
    const says = 'stickiness parameter must be default, userId, sessionId, or random';
    problems.need(STICKINESS.includes(stickiness), field, says);
  }
}

/** An empty text names nobody. */
function checkXids(text: string, field: string, name: string, problems: Problems): void {
  const xids = text === '' ? [] : text.split(',');
  const isXid = (xid: string) => xid !== '' && xid.trim() === xid && xid.length <= MOST_XID_CHARACTERS;
  const isValid = !/[\x00-\x1f\x7f]/.test(text) && new Set(xids).size === xids.length && xids.every(isXid);
  const rule = `must be a string of unique comma separated values each ${MOST_XID_CHARACTERS} characters or less`;
  problems.need(isValid, field, `${name} ${rule}`);
}
