import { createHash } from 'node:crypto';
import {
  createRunner,
  getRunner,
  resetInstanceToken,
  resetProjectToken,
} from '@forgelog/contracts/ci/runners/runner.api.ts';
import {
  registerRunner,
  unregisterRunner,
  verifyRunner,
} from '@forgelog/contracts/ci/runners/runner-agent.api.ts';
import { projectCreated, projectDeleted, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { runnerSlice } from './runner.slice.ts';
import { createRunnerContacts } from './runner-contacts.ts';
import { createTokenGuesses } from './token-guesses.ts';

const silent = { info: () => {}, warn: () => {} };

const ADMIN = 1;
const OWNER = 2;
const given = [
  userCreated(ADMIN, { admin: true }),
  userCreated(OWNER),
  projectCreated(7, { ownerId: OWNER }),
];
const info = { name: 'agent', version: '14.3.2', platform: 'linux', features: { variables: true } };

async function start() {
  const slices = await startSlices(
    [
      runnerSlice(
        createRunnerContacts(() => new Date()),
        () => {},
        createTokenGuesses(silent),
      ),
    ],
    given,
  );
  const { token } = (await slices.call(resetProjectToken, { id: 7 }, OWNER)).body;
  return { ...slices, token };
}

test('an agent registers as stock agents do, and only its hash is kept', async () => {
  const { call, token } = await start();
  const sent = { token, description: 'Machine', tag_list: 'docker, linux,docker', run_untagged: true };
  const registered = await call(registerRunner, {
    ...{ ...sent, locked: false, active: true, access_level: 'ref_protected', maximum_timeout: '' },
    info,
  });
  const { id, token: own } = registered.body;
  expect(registered).toMatchObject({
    status: 201,
    events: [
      {
        type: 'RunnerRegistered',
        data: {
          ...{ runnerId: id, runnerType: 'project_type', projectId: 7, groupId: null },
          ...{ tags: ['docker', 'linux'], accessLevel: 'ref_protected', maximumTimeout: null },
          tokenSha256: createHash('sha256').update(own).digest('hex'),
        },
      },
      { type: 'RunnerEnabledForProject', data: { runnerId: id, projectId: 7, reason: 'registered' } },
    ],
  });
  expect(JSON.stringify(registered.events)).not.toContain(own);
  expect((await call(getRunner, { id }, OWNER)).body).toMatchObject({
    ...{ id, description: 'Machine', name: 'agent', version: '14.3.2', ip_address: '127.0.0.1' },
    ...{ status: 'online', projects: [{ id: 7 }], groups: [] },
  });
});

test('the token says for whom a runner works', async () => {
  const { call } = await start();
  const { token } = (await call(resetInstanceToken, {}, ADMIN)).body;
  expect(await call(registerRunner, { token })).toMatchObject({
    status: 201,
    events: [{ type: 'RunnerRegistered', data: { runnerType: 'instance_type', projectId: null } }],
  });
});

test('a token that was reset, is of another place or of none registers nothing', async () => {
  const { call, token } = await start();
  const { token: newest } = (await call(resetProjectToken, { id: 7 }, OWNER)).body;
  const wrong = [token, 'nonsense', newest.replace('p7-', 'p8-'), newest.replace('p7-', 'i0-'), `${newest}x`];
  for (const guess of wrong)
    expect(await call(registerRunner, { token: guess })).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden' },
      events: [],
    });
  expect((await call(registerRunner, {})).status).toBe(400);
  expect((await call(registerRunner, { token: newest })).status).toBe(201);
});

test('the token of a deleted project registers nothing', async () => {
  const { token } = await start();
  const { call } = await startSlices(
    [
      runnerSlice(
        createRunnerContacts(() => new Date()),
        () => {},
        createTokenGuesses(silent),
      ),
    ],
    [...given, projectDeleted(7, OWNER)],
  );
  expect((await call(registerRunner, { token })).status).toBe(403);
});

test('an agent asks whether its token is good, and takes leave', async () => {
  const { call, token } = await start();
  const { token: own, id } = (await call(registerRunner, { token })).body;
  expect((await call(getRunner, { id }, OWNER)).body).toMatchObject({
    status: 'not_connected',
    online: null,
  });
  expect(await call(verifyRunner, { token: own })).toMatchObject({ status: 200, body: '200' });
  expect((await call(getRunner, { id }, OWNER)).body).toMatchObject({ status: 'online' });
  expect((await call(verifyRunner, { token })).status).toBe(403);
  expect(await call(unregisterRunner, { token: own })).toMatchObject({
    status: 204,
    events: [
      { type: 'RunnerDisabledForProject', data: { reason: 'removed' } },
      { type: 'RunnerRemoved', data: { runnerId: id, reason: 'unregistered' } },
    ],
  });
  for (const endpoint of [verifyRunner, unregisterRunner])
    expect((await call(endpoint, { token: own })).status).toBe(403);
});

test('a runner without a registration token is made by whoever may change it', async () => {
  const { call } = await start();
  const wanted = { runner_type: 'project_type', project_id: 7, run_untagged: true };
  expect((await call(createRunner, wanted, OWNER)).body).toMatchObject({
    token: expect.stringMatching(/^glrt-/),
    token_expires_at: null,
  });
  const refused = [];
  for (const params of [
    { runner_type: 'instance_type', run_untagged: true },
    { runner_type: 'group_type', run_untagged: true },
    { runner_type: 'group_type', group_id: 99, run_untagged: true },
    { runner_type: 'project_type', run_untagged: true },
    { runner_type: 'project_type', project_id: 99, run_untagged: true },
    { ...wanted, run_untagged: false },
  ])
    refused.push((await call(createRunner, params, OWNER)).status);
  expect(refused).toEqual([403, 400, 404, 400, 404, 400]);
});
