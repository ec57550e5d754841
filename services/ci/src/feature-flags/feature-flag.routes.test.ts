import {
  createFeatureFlag,
  deleteFeatureFlag,
  getFeatureFlag,
  listFeatureFlags,
  updateFeatureFlag,
} from '@forgelog/contracts/ci/feature-flags/feature-flag.api.ts';
import {
  createFeatureFlagUserList,
  deleteFeatureFlagUserList,
  listFeatureFlagUserLists,
  updateFeatureFlagUserList,
} from '@forgelog/contracts/ci/feature-flags/feature-flag-user-list.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { featureFlagRoutes } from './feature-flag.routes.ts';
import { featureFlagUserListRoutes } from './feature-flag-user-list.routes.ts';
import { featureFlagsProjection } from './feature-flags.projection.ts';

const OWNER = 1;
const DEVELOPER = 3;
const REPORTER = 4;
const OUTSIDER = 5;
const given = [
  ...[OWNER, DEVELOPER, REPORTER, OUTSIDER].map((id) => userCreated(id)),
  projectCreated(7),
  projectCreated(8),
  memberAdded(7, DEVELOPER, 30),
  memberAdded(7, REPORTER, 20),
];
const slice = defineSlice<ServicePorts>({
  routes: [featureFlagRoutes, featureFlagUserListRoutes],
  projections: [featureFlagsProjection],
});
const start = () => startSlices([slice], given);
const scopes = [{ environment_scope: 'production' }];
const wanted = {
  ...{ id: 7, name: 'night_mode', description: 'A dark page' },
  strategies: [{ name: 'userWithId', parameters: { userIds: 'ada' }, scopes }],
};
const named = { id: 7, feature_flag_name: 'night_mode' };

test('a developer creates, renames, switches and deletes a flag', async () => {
  const { call } = await start();
  const made = await call(createFeatureFlag, wanted, DEVELOPER);
  expect(made).toMatchObject({
    status: 201,
    body: {
      ...{
        name: 'night_mode',
        description: 'A dark page',
        active: true,
        version: 'new_version_flag',
        scopes: [],
      },
      strategies: [
        {
          ...{ id: 1, name: 'userWithId', parameters: { userIds: 'ada' }, user_list: null },
          scopes: [{ id: 1, environment_scope: 'production' }],
        },
      ],
    },
    events: [{ type: 'FeatureFlagCreated' }],
  });
  expect((await call(getFeatureFlag, named, DEVELOPER)).body).toEqual(made.body);
  const changed = await call(
    updateFeatureFlag,
    {
      ...named,
      name: 'dark',
      active: false,
      strategies: [{ name: 'default', scopes: [{ id: 0, ...scopes[0] }] }],
    },
    DEVELOPER,
  );
  expect(changed).toMatchObject({
    status: 200,
    body: {
      name: 'dark',
      active: false,
      strategies: [{ id: 1 }, { id: 2, name: 'default', parameters: {} }],
    },
  });
  expect((await call(getFeatureFlag, named, DEVELOPER)).status).toBe(404);
  for (const [scope, names] of [
    ['enabled', []],
    ['disabled', ['dark']],
  ] as const) {
    const { body } = await call(listFeatureFlags, { id: 7, scope }, DEVELOPER);
    expect((body as { name: string }[]).map(({ name }) => name)).toEqual(names);
  }
  const gone = { id: 7, feature_flag_name: 'dark' };
  expect(await call(deleteFeatureFlag, gone, DEVELOPER)).toMatchObject({ status: 200, body: changed.body });
  expect((await call(deleteFeatureFlag, gone, DEVELOPER)).status).toBe(404);
});

test('reporters are refused, and outsiders do not see the project', async () => {
  const { call } = await start();
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null]) {
    refused.push(await call(createFeatureFlag, wanted, caller));
    refused.push(await call(listFeatureFlags, { id: 7 }, caller));
    refused.push(await call(listFeatureFlagUserLists, { id: 7 }, caller));
  }
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404, 404, 401, 401, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});

test('a list is shown in the strategies that name it, and only lists of the project can be named', async () => {
  const { call } = await start();
  const list = { id: 7, name: 'Testers', user_xids: 'ada' };
  const made = await call(createFeatureFlagUserList, list, DEVELOPER);
  expect(made).toMatchObject({ status: 201, body: { id: 1, iid: 1, project_id: 7, user_xids: 'ada' } });
  const elsewhere = await call(createFeatureFlagUserList, { ...list, id: 8 }, OWNER);
  expect(elsewhere).toMatchObject({ body: { id: 2, iid: 1 } });
  const strategies = (user_list_id: number) => [{ name: 'gitlabUserList', user_list_id, scopes }];
  const foreign = await call(createFeatureFlag, { ...wanted, strategies: strategies(2) }, OWNER);
  expect(foreign).toMatchObject({
    status: 400,
    body: { message: { 'strategies.user_list': ['must belong to the same project'] } },
    events: [],
  });
  await call(createFeatureFlag, { ...wanted, strategies: strategies(1) }, DEVELOPER);
  await call(updateFeatureFlagUserList, { id: 7, iid: 1, user_xids: 'ada,grace' }, DEVELOPER);
  expect((await call(getFeatureFlag, named, DEVELOPER)).body).toMatchObject({
    strategies: [{ user_list: { id: 1, iid: 1, name: 'Testers', user_xids: 'ada,grace' } }],
  });
  expect(await call(deleteFeatureFlagUserList, { id: 7, iid: 1 }, DEVELOPER)).toMatchObject({
    status: 409,
    body: { message: ['User list is associated with a strategy'] },
  });
  await call(deleteFeatureFlag, named, DEVELOPER);
  expect((await call(deleteFeatureFlagUserList, { id: 7, iid: 1 }, DEVELOPER)).status).toBe(204);
});

test('what is wrong in a request is told, and nothing is made', async () => {
  const { call } = await start();
  const tries: [object, number, unknown][] = [
    [{ version: 'legacy_flag' }, 400, { error: expect.stringContaining('version') }],
    [{ strategies: [{ name: 'moon' }] }, 400, { error: expect.stringContaining('strategies') }],
    [{ strategies: [{ name: 'default', parameters: 'x' }] }, 400, { error: expect.anything() }],
    [{ name: 'Night' }, 400, { message: { name: [expect.stringContaining('only lowercase letters')] } }],
  ];
  for (const [more, status, body] of tries)
    expect(await call(createFeatureFlag, { ...wanted, ...more }, DEVELOPER)).toMatchObject({
      ...{ status, body },
      events: [],
    });
  const many = Array.from({ length: 21 }, () => ({ name: 'default' }));
  expect((await call(createFeatureFlag, { ...wanted, strategies: many }, DEVELOPER)).status).toBe(400);
});
