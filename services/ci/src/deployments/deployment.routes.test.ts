import {
  createDeployment,
  getDeployment,
  listDeployments,
  updateDeployment,
} from '@forgelog/contracts/ci/deployments/deployment.api.ts';
import { createEnvironment } from '@forgelog/contracts/ci/environments/environment.api.ts';
import { DEVELOPER, OUTSIDER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { environmentSlice } from '../environments/environment.slice.ts';
import { startCiSlices } from '../testing/start-ci-slices.ts';
import { deploymentSlice } from './deployment.slice.ts';

const given = { id: 7, environment: 'live', sha: 'a'.repeat(40), ref: 'main', tag: false, status: 'running' };
const start = () => startCiSlices([environmentSlice, deploymentSlice], {}, team);

test('a developer tells of a deployment from outside, and how it goes on', async () => {
  const { call } = await start();
  const created = await call(createDeployment, given, DEVELOPER);
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, iid: 1, ref: 'main', sha: given.sha, status: 'running', deployable: null },
      ...{ user: { id: DEVELOPER }, environment: { id: 1, name: 'live' } },
    },
  });
  const one = { id: 7, deployment_id: 1 };
  const ended = await call(updateDeployment, { ...one, status: 'success' }, DEVELOPER);
  expect(ended).toMatchObject({ status: 200, body: { status: 'success' } });
  expect((await call(updateDeployment, { ...one, status: 'running' }, DEVELOPER)).status).toBe(400);
  expect((await call(getDeployment, one, REPORTER)).body).toEqual(ended.body);
  expect((await call(getDeployment, { ...one, deployment_id: 9 }, REPORTER)).status).toBe(404);
});

test('deployments are listed by environment, status and order', async () => {
  const { call } = await start();
  for (const more of [{}, { environment: 'test', status: 'failed' }, { ref: 'a-branch' }])
    await call(createDeployment, { ...given, ...more }, DEVELOPER);
  const ids = async (params: object) =>
    (await call(listDeployments, { id: 7, ...params }, REPORTER)).body.map(({ id }: { id: number }) => id);
  expect(await ids({})).toEqual([1, 2, 3]);
  expect(await ids({ sort: 'desc', order_by: 'iid' })).toEqual([3, 2, 1]);
  expect(await ids({ order_by: 'ref' })).toEqual([3, 1, 2]);
  expect(await ids({ environment: 'live' })).toEqual([1, 3]);
  expect(await ids({ environment: 'nowhere' })).toEqual([]);
  expect(await ids({ status: 'failed' })).toEqual([2]);
  expect(await ids({ updated_after: '2100-01-01T00:00:00Z' })).toEqual([]);
});

test('a reporter, a stranger and bad input change nothing', async () => {
  const { call } = await start();
  await call(createEnvironment, { id: 7, name: 'live' }, DEVELOPER);
  const refused = [
    await call(createDeployment, given, REPORTER),
    await call(createDeployment, given, OUTSIDER),
    await call(createDeployment, { ...given, sha: 'main' }, DEVELOPER),
    await call(createDeployment, { ...given, status: 'created' }, DEVELOPER),
    await call(createDeployment, { ...given, environment: 'a?' }, DEVELOPER),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 404, 400, 400, 400]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});
