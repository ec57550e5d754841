import type { FeatureFlagEvent } from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import { type FeatureFlagCommand, featureFlagDecider, type StrategyChange } from './feature-flag.decider.ts';
import type { FlagStrategy } from './feature-flag.rules.ts';

const onFlag = { featureFlagId: 3, projectId: 7 };
const onList = { featureFlagUserListId: 5, projectId: 7 };
const everywhere: FlagStrategy = {
  id: 1,
  name: 'default',
  parameters: {},
  userListId: null,
  scopes: [{ id: 1, environmentScope: '*' }],
};
const flag = { name: 'night_mode', description: null, active: true };
const created: FeatureFlagEvent = {
  type: 'FeatureFlagCreated',
  data: { ...onFlag, ...flag, strategies: [everywhere] },
};
const listCreated: FeatureFlagEvent = {
  type: 'FeatureFlagUserListCreated',
  data: { ...onList, iid: 1, name: 'Testers', userXids: 'ada' },
};
const part = { id: null, isDeleted: false };
const strategy = (more: Partial<StrategyChange> = {}): StrategyChange => ({
  ...{ ...part, name: 'default', parameters: {}, userListId: undefined },
  scopes: [{ ...part, environmentScope: 'production' }],
  ...more,
});
const create = (strategies: readonly StrategyChange[], more: object = {}): FeatureFlagCommand => ({
  ...{ type: 'CreateFeatureFlag', ...onFlag, ...flag },
  strategies,
  ...more,
});
const update = (strategies: readonly StrategyChange[], more: object = {}): FeatureFlagCommand => ({
  ...{ type: 'UpdateFeatureFlag', ...onFlag, name: undefined, description: undefined, active: undefined },
  strategies,
  ...more,
});

test('a flag is created with its strategies, once under a name', () => {
  const strategies = [
    { ...everywhere, scopes: [{ id: 1, environmentScope: 'production' }] },
  ] satisfies FlagStrategy[];
  given(featureFlagDecider)
    .when(create([strategy()]))
    .thenEvents({ type: 'FeatureFlagCreated', data: { ...onFlag, ...flag, strategies } });
  given(featureFlagDecider, created).when(create([])).thenRejected('conflict');
  given(featureFlagDecider, created)
    .when(create([], { featureFlagId: 4 }))
    .thenRejected('validation_failed', { message: { name: ['has already been taken'] } });
});

test.each([
  ['', ["can't be blank", 'is too short']],
  ['a', ['is too short']],
  ['Night', ['can contain only lowercase']],
  ['night_', ['can contain only lowercase']],
  ['a'.repeat(64), ['is too long']],
])('the name %j is refused: %j', (name, problems) => {
  let message: Record<string, string[]> = {};
  try {
    featureFlagDecider.decide(create([], { name }), featureFlagDecider.initialState);
  } catch (error) {
    message = (error as { details: { fields: Record<string, string[]> } }).details.fields;
  }
  for (const problem of problems) expect(message.name!.join()).toContain(problem);
});

const rollout = { groupId: 'night', rollout: '50', stickiness: 'default' };
test.each<[string, Partial<StrategyChange>, string | null]>([
  ['flexibleRollout', { parameters: rollout }, null],
  ['flexibleRollout', { parameters: { ...rollout, rollout: '101' } }, 'rollout must be'],
  ['flexibleRollout', { parameters: { ...rollout, stickiness: 'moon' } }, 'stickiness parameter must be'],
  ['flexibleRollout', { parameters: { rollout: '50' } }, 'parameters are invalid'],
  ['gradualRolloutUserId', { parameters: { groupId: 'night', percentage: '0' } }, null],
  ['gradualRolloutUserId', { parameters: { groupId: 'night', percentage: '-1' } }, 'percentage must be'],
  ['gradualRolloutUserId', { parameters: { groupId: 'Night', percentage: '5' } }, 'groupId parameter'],
  ['userWithId', { parameters: { userIds: 'ada,grace' } }, null],
  ['userWithId', { parameters: { userIds: '' } }, null],
  ['userWithId', { parameters: { userIds: 'ada,ada' } }, 'unique comma separated'],
  ['userWithId', { parameters: { userIds: 'ada,,grace' } }, 'unique comma separated'],
  ['userWithId', { parameters: { userIds: 'ada, grace' } }, 'unique comma separated'],
  ['userWithId', { parameters: { userIds: 'ada\ngrace' } }, 'unique comma separated'],
  ['userWithId', { parameters: { userIds: 'a'.repeat(257) } }, 'unique comma separated'],
  ['default', { parameters: { userIds: 'ada' } }, 'default takes none'],
  ['default', { userListId: 5 }, 'must be blank'],
  ['gitlabUserList', { userListId: 5 }, null],
  ['gitlabUserList', { userListId: 6 }, 'must belong to the same project'],
  ['gitlabUserList', {}, "can't be blank"],
])('a strategy %s with %j: %s', (name, more, problem) => {
  const command = create([strategy({ name: name as 'default', ...more })]);
  const when = given(featureFlagDecider, listCreated).when(command);
  if (problem === null) expect(() => when.thenRejected('validation_failed')).toThrow();
  else {
    const decide = () =>
      featureFlagDecider.decide(
        command,
        featureFlagDecider.evolve(featureFlagDecider.initialState, listCreated),
      );
    expect(problemsOf(decide).join()).toContain(problem);
  }
});

function problemsOf(decide: () => unknown): string[] {
  try {
    decide();
  } catch (error) {
    return Object.values((error as { details: { fields: Record<string, string[]> } }).details.fields).flat();
  }
  return [];
}

test('a scope names environments, each once in a strategy', () => {
  for (const [environmentScope, problem] of [
    ['', "can't be blank"],
    ['a|b', 'can contain only'],
  ] as const) {
    const scopes = [{ ...part, environmentScope }];
    const decide = () =>
      featureFlagDecider.decide(create([strategy({ scopes })]), featureFlagDecider.initialState);
    expect(problemsOf(decide).join()).toContain(problem);
  }
  const twice = [1, 2].map(() => ({ ...part, environmentScope: 'staging' }));
  given(featureFlagDecider)
    .when(create([strategy({ scopes: twice })]))
    .thenRejected('validation_failed', {
      message: { 'strategies.scopes.environment_scope': ['(staging) has already been taken'] },
    });
});

test('an update adds, changes and deletes strategies and scopes, and keeps what it does not name', () => {
  const known = { isDeleted: false };
  const kept = { name: undefined, parameters: undefined, userListId: undefined };
  const scopes = [
    { ...known, id: 1, isDeleted: true, environmentScope: undefined },
    { ...part, environmentScope: 'staging' },
  ];
  const after = { ...everywhere, scopes: [{ id: 2, environmentScope: 'staging' }] };
  given(featureFlagDecider, created)
    .when(update([{ ...known, id: 1, ...kept, scopes }]))
    .thenEvents({
      type: 'FeatureFlagUpdated',
      data: { ...onFlag, changes: { strategies: [after] }, previous: { strategies: [everywhere] } },
    });
  given(featureFlagDecider, created)
    .when(update([{ ...known, id: 1, isDeleted: true, ...kept, scopes: [] }]))
    .thenEvents({
      type: 'FeatureFlagUpdated',
      data: { ...onFlag, changes: { strategies: [] }, previous: { strategies: [everywhere] } },
    });
  given(featureFlagDecider, created)
    .when(update([{ ...known, id: 1, ...kept, scopes: [] }], { active: true }))
    .thenEvents();
  given(featureFlagDecider, created)
    .when(update([{ ...known, id: 99, ...kept, scopes: [] }]))
    .thenRejected('not_found', { message: '404 Strategy Not Found' });
  given(featureFlagDecider, created)
    .when(update([{ ...known, id: 1, ...kept, scopes: [{ ...known, id: 99, environmentScope: '*' }] }]))
    .thenRejected('not_found', { message: '404 Scope Not Found' });
  given(featureFlagDecider, created)
    .when(update([{ ...part, ...kept, scopes: [] }]))
    .thenRejected('validation_failed', { message: { 'strategies.name': ["can't be blank"] } });
});

test('a strategy with another name begins without the parameters of the old one', () => {
  const listed = { ...everywhere, name: 'gitlabUserList' as const, userListId: 5 };
  const was: FeatureFlagEvent = {
    type: 'FeatureFlagCreated',
    data: { ...onFlag, ...flag, strategies: [listed] },
  };
  const change = { isDeleted: false, id: 1, parameters: undefined, userListId: undefined };
  given(featureFlagDecider, listCreated, was)
    .when(update([{ ...change, name: 'default', scopes: [] }]))
    .thenEvents({
      type: 'FeatureFlagUpdated',
      data: { ...onFlag, changes: { strategies: [everywhere] }, previous: { strategies: [listed] } },
    });
});

test('ids of strategies and scopes are not given again in the project', () => {
  const deleted: FeatureFlagEvent = { type: 'FeatureFlagDeleted', data: onFlag };
  const scopes = [{ id: 2, environmentScope: 'production' }];
  given(featureFlagDecider, created, deleted)
    .when(create([strategy(), { ...strategy(), isDeleted: true }]))
    .thenEvents({
      type: 'FeatureFlagCreated',
      data: { ...onFlag, ...flag, strategies: [{ ...everywhere, id: 2, scopes }] },
    });
});

test('a project has 200 flags at most', () => {
  const some = Array.from({ length: 200 }, (_, at) => ({
    ...created,
    data: { ...created.data, featureFlagId: 100 + at, name: `flag-${at}` },
  })) as FeatureFlagEvent[];
  given(featureFlagDecider, ...some)
    .when(create([]))
    .thenRejected('validation_failed', {
      message: { base: ['Maximum number of project feature flags (200) exceeded'] },
    });
});

test('all flags and lists of a project together have a bound', () => {
  const userXids = 'x'.repeat(4 * 1024 * 1024);
  const large = { ...listCreated, data: { ...listCreated.data, userXids } } as FeatureFlagEvent;
  given(featureFlagDecider, large)
    .when(create([strategy()]))
    .thenRejected('validation_failed', {
      message: {
        base: ['Feature flags and user lists of the project are too long (maximum is 4194304 characters)'],
      },
    });
});

test('numbers of lists are not given again, and a list in use stays', () => {
  const remove = { type: 'DeleteFeatureFlagUserList', ...onList } as const;
  const deleted: FeatureFlagEvent = { type: 'FeatureFlagUserListDeleted', data: { ...onList, iid: 1 } };
  given(featureFlagDecider, listCreated).when(remove).thenEvents(deleted);
  const another = { ...onList, featureFlagUserListId: 6 };
  given(featureFlagDecider, listCreated, deleted)
    .when({ type: 'CreateFeatureFlagUserList', ...another, name: 'Testers', userXids: '' })
    .thenEvents({
      type: 'FeatureFlagUserListCreated',
      data: { ...another, iid: 2, name: 'Testers', userXids: '' },
    });
  const strategies = [{ ...everywhere, name: 'gitlabUserList' as const, userListId: 5 }];
  const using: FeatureFlagEvent = { type: 'FeatureFlagCreated', data: { ...onFlag, ...flag, strategies } };
  given(featureFlagDecider, listCreated, using)
    .when(remove)
    .thenRejected('conflict', { message: ['User list is associated with a strategy'] });
  const gone: FeatureFlagEvent = { type: 'FeatureFlagDeleted', data: onFlag };
  given(featureFlagDecider, listCreated, using, gone).when(remove).thenEvents(deleted);
});

test('a list is changed, and its name is not that of another', () => {
  const second: FeatureFlagEvent = {
    ...listCreated,
    data: { featureFlagUserListId: 6, projectId: 7, iid: 2, name: 'Friends', userXids: '' },
  };
  const change = (more: { name?: string; userXids?: string }) =>
    ({
      type: 'UpdateFeatureFlagUserList',
      ...onList,
      name: undefined,
      userXids: undefined,
      ...more,
    }) as const;
  given(featureFlagDecider, listCreated, second)
    .when(change({ userXids: 'ada,grace' }))
    .thenEvents({
      type: 'FeatureFlagUserListUpdated',
      data: { ...onList, iid: 1, changes: { userXids: 'ada,grace' }, previous: { userXids: 'ada' } },
    });
  given(featureFlagDecider, listCreated, second)
    .when(change({ name: 'Friends', userXids: 'a,a' }))
    .thenRejected('validation_failed', {
      message: {
        name: ['has already been taken'],
        user_xids: [
          'user_xids must be a string of unique comma separated values each 256 characters or less',
        ],
      },
    });
  given(featureFlagDecider, listCreated)
    .when(change({ name: 'Testers' }))
    .thenEvents();
  given(featureFlagDecider).when(change({})).thenRejected('record_not_found');
});
