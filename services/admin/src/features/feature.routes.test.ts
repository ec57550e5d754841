import {
  deleteFeature,
  listFeatureDefinitions,
  listFeatures,
  setFeature,
} from '@forgelog/contracts/admin/features/feature.api.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupCreated, inGroup } from '../testing/group-events.ts';
import { featureSlice } from './feature.slice.ts';

const ADMIN = 1;
const ADA = 2;
const given = [
  ...[userCreated(ADMIN, { admin: true }), userCreated(ADA)],
  ...[projectCreated(7), inGroup(groupCreated(20))],
];
const off = { key: 'boolean', value: false };

test('an unknown flag is created, switched by percentage and for all', async () => {
  const { call } = await startSlices([featureSlice], given);
  const set = async (params: { value: string | number } & Record<string, string | number>) =>
    (await call(setFeature, { name: 'new_door', ...params } as never, ADMIN)).body;
  expect(await call(setFeature, { name: 'new_door', value: 30 }, ADMIN)).toMatchObject({
    status: 201,
    body: {
      ...{ name: 'new_door', state: 'conditional', definition: null },
      gates: [off, { key: 'percentage_of_time', value: 30 }],
    },
  });
  expect(await set({ value: 5, key: 'percentage_of_actors' })).toMatchObject({
    gates: [off, { key: 'percentage_of_time', value: 30 }, { key: 'percentage_of_actors', value: 5 }],
  });
  expect(await set({ value: 'true' })).toMatchObject({
    state: 'on',
    gates: [{ key: 'boolean', value: true }],
  });
  expect(await set({ value: 'false' })).toMatchObject({ state: 'off', gates: [off] });
  expect((await call(listFeatures, {}, ADMIN)).body).toMatchObject([{ name: 'new_door', state: 'off' }]);
});

test('gates of a user, a group, a project and administrators are set in one call', async () => {
  const { call } = await startSlices([featureSlice], given);
  const targets = { user: 'user2', group: 'group20', project: 'user1/project7' };
  const name = 'debian_packages';
  const wanted = { name, value: 'true', feature_group: 'administrators', ...targets } as const;
  const set = await call(setFeature, wanted, ADMIN);
  expect(set.body).toMatchObject({
    ...{ state: 'conditional', definition: { name, default_enabled: true } },
    gates: [
      ...[off, { key: 'groups', value: ['administrators'] }],
      { key: 'actors', value: ['Group:20', 'Project:7', 'User:2'] },
    ],
  });
  expect(set.body.definition).not.toHaveProperty('milestone');
});

test('definitions name what this server asks for', async () => {
  const { call } = await startSlices([featureSlice], given);
  const { body } = await call(listFeatureDefinitions, {}, ADMIN);
  expect(body).toContainEqual({
    ...{ name: 'debian_packages', introduced_by_url: null, rollout_issue_url: null, group: 'packages' },
    ...{ type: 'development', default_enabled: true, milestone: '0.1' },
  });
});

test('a deletion answers alike whether there was a gate, and others may not', async () => {
  const { call } = await startSlices([featureSlice], given);
  await call(setFeature, { name: 'x', value: 'true' }, ADMIN);
  for (const name of ['x', 'x', 'never there'])
    expect((await call(deleteFeature, { name }, ADMIN)).status).toBe(204);
  expect((await call(listFeatures, {}, ADMIN)).body).toEqual([]);
  expect((await call(setFeature, { name: 'x', value: 'true' }, ADA)).status).toBe(403);
});

test('a wrong name, value or target changes nothing', async () => {
  const { call } = await startSlices([featureSlice], given);
  const answers = [];
  for (const wrong of [{ name: 'a b' }, { value: 101 }, { value: 'maybe' }, { user: 'nobody' }])
    answers.push(await call(setFeature, { name: 'x', value: 'true', ...wrong } as never, ADMIN));
  expect(answers.map(({ status, body }) => [status, body.error ?? body.message])).toEqual([
    [400, 'name is invalid'],
    [400, 'value is invalid'],
    [400, 'value is invalid'],
    [400, '400 Bad request - nobody is not found'],
  ]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});
