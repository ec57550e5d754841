import {
  createEnvironment,
  deleteEnvironment,
  deleteReviewApps,
  getEnvironment,
  listEnvironments,
  stopEnvironment,
  updateEnvironment,
} from '@forgelog/contracts/ci/environments/environment.api.ts';
import { projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { deploymentSlice } from '../deployments/deployment.slice.ts';
import { startCiSlices } from '../testing/start-ci-slices.ts';
import { environmentSlice } from './environment.slice.ts';
import { deleteDueEnvironments } from './review-apps.worker.ts';

const given = [...team, projectCreated(8)];
const one = { id: 7, environment_id: 1 };

test('a developer creates, reads, changes, stops and deletes an environment', async () => {
  const { call } = await startCiSlices([environmentSlice, deploymentSlice], {}, given);
  const created = await call(createEnvironment, { id: 7, name: 'staging' }, DEVELOPER);
  expect(created).toMatchObject({
    status: 201,
    body: { id: 1, name: 'staging', slug: 'staging', external_url: null, state: 'available' },
    events: [{ type: 'EnvironmentCreated', data: { projectId: 7, environmentId: 1 } }],
  });
  expect(await call(getEnvironment, one, DEVELOPER)).toMatchObject({
    status: 200,
    body: { ...created.body, last_deployment: null },
  });
  const changed = await call(updateEnvironment, { ...one, external_url: 'https://x.example.com' }, DEVELOPER);
  expect(changed).toMatchObject({
    status: 200,
    body: { ...created.body, external_url: 'https://x.example.com' },
    events: [{ type: 'EnvironmentUpdated', data: { changes: { externalUrl: 'https://x.example.com' } } }],
  });
  expect(await call(stopEnvironment, one, DEVELOPER)).toMatchObject({
    status: 200,
    body: { ...changed.body, state: 'stopped' },
    events: [{ type: 'EnvironmentStopped' }],
  });
  expect(await call(stopEnvironment, one, DEVELOPER)).toMatchObject({ status: 200, events: [] });
  expect(await call(deleteEnvironment, one, DEVELOPER)).toMatchObject({
    status: 204,
    body: null,
    events: [{ type: 'EnvironmentDeleted' }],
  });
  expect((await call(listEnvironments, { id: 7 }, DEVELOPER)).body).toEqual([]);
});

test('a list is filtered by name, search and state', async () => {
  const { call } = await startCiSlices([environmentSlice, deploymentSlice], {}, given);
  for (const name of ['production', 'staging', 'Stage two'])
    await call(createEnvironment, { id: 7, name }, OWNER);
  await call(stopEnvironment, one, OWNER);
  const found = async (filter: object) =>
    (await call(listEnvironments, { id: 7, ...filter }, OWNER)).body.map(({ id }: { id: number }) => id);
  expect(await found({})).toEqual([1, 2, 3]);
  expect(await found({ name: 'staging' })).toEqual([2]);
  expect(await found({ search: 'STAG' })).toEqual([2, 3]);
  expect(await found({ states: 'stopped' })).toEqual([1]);
  expect(await found({ per_page: 1, page: 2 })).toEqual([2]);
});

test('a reporter reads, and others do not see the project', async () => {
  const { call } = await startCiSlices([environmentSlice, deploymentSlice], {}, given);
  await call(createEnvironment, { id: 7, name: 'staging' }, OWNER);
  expect((await call(getEnvironment, one, REPORTER)).status).toBe(200);
  expect((await call(listEnvironments, { id: 7 }, REPORTER)).body).toHaveLength(1);
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null]) {
    refused.push(await call(createEnvironment, { id: 7, name: 'x' }, caller));
    for (const endpoint of [updateEnvironment, stopEnvironment, deleteEnvironment])
      refused.push(await call(endpoint, one, caller));
    refused.push(await call(deleteReviewApps, { id: 7, dry_run: false }, caller));
  }
  const five = (status: number) => Array.from({ length: 5 }, () => status);
  expect(refused.map(({ status }) => status)).toEqual([...five(403), ...five(404), ...five(401)]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});

test('invalid input is rejected and takes no id', async () => {
  const { call } = await startCiSlices([environmentSlice, deploymentSlice], {}, given);
  for (const [params, body] of [
    [{}, { error: 'name is missing' }],
    [{ name: '/' }, { message: { name: [expect.stringContaining('can contain only')] } }],
    [{ name: 'x', external_url: 'x:y' }, { error: expect.stringMatching(/^external_url /) }],
  ])
    expect(await call(createEnvironment, { id: 7, ...params }, OWNER)).toMatchObject({
      status: 400,
      body,
      events: [],
    });
  expect((await call(listEnvironments, { id: 7, name: 'a', search: 'b' }, OWNER)).body).toEqual({
    error: 'name, search are mutually exclusive',
  });
  expect((await call(createEnvironment, { id: 7, name: 'x' }, OWNER)).body.id).toBe(1);
});

test('an environment is found in its own project only', async () => {
  const { call } = await startCiSlices([environmentSlice, deploymentSlice], {}, given);
  await call(createEnvironment, { id: 7, name: 'staging' }, OWNER);
  expect((await call(createEnvironment, { id: 8, name: 'staging' }, OWNER)).status).toBe(201);
  const elsewhere = { id: 8, environment_id: 1 };
  for (const endpoint of [getEnvironment, updateEnvironment, stopEnvironment, deleteEnvironment])
    expect(await call(endpoint, elsewhere, OWNER)).toMatchObject({ status: 404, events: [] });
});

test('stopped review apps are deleted a week after they were scheduled', async () => {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const DAY = 86_400_000;
  const { call, ports } = await startCiSlices([environmentSlice, deploymentSlice], {}, given, {
    clock: () => new Date(now),
  });
  for (const name of ['review/x', 'review/running', 'production'])
    await call(createEnvironment, { id: 7, name }, OWNER);
  for (const environment_id of [1, 3]) await call(stopEnvironment, { id: 7, environment_id }, OWNER);
  now += 31 * DAY;
  const entry = { id: 1, name: 'review/x', slug: expect.stringMatching(/^review-x/), external_url: null };
  const answer = { status: 200, body: { scheduled_entries: [entry], unprocessable_entries: [] } };
  expect(await call(deleteReviewApps, { id: 7 }, DEVELOPER)).toMatchObject({ ...answer, events: [] });
  expect(await call(deleteReviewApps, { id: 7, dry_run: false }, DEVELOPER)).toMatchObject({
    ...answer,
    events: [
      { type: 'EnvironmentDeletionScheduled', data: { dueAt: new Date(now + 7 * DAY).toISOString() } },
    ],
  });
  const left = async () => {
    await deleteDueEnvironments(ports);
    return (await call(listEnvironments, { id: 7 }, OWNER)).body.map(({ id }: { id: number }) => id);
  };
  now += 7 * DAY - 1;
  expect(await left()).toEqual([1, 2, 3]);
  now += 1;
  expect(await left()).toEqual([2, 3]);
});
