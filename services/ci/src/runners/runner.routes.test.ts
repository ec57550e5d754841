import {
  deleteRunner,
  disableProjectRunner,
  enableProjectRunner,
  getRunner,
  listAllRunners,
  listProjectRunners,
  listRunners,
  resetInstanceToken,
  updateRunner,
} from '@forgelog/contracts/ci/runners/runner.api.ts';
import { registerRunner, verifyRunner } from '@forgelog/contracts/ci/runners/runner-agent.api.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { runnerSlice } from './runner.slice.ts';
import { createRunnerContacts } from './runner-contacts.ts';
import { createTokenGuesses } from './token-guesses.ts';

const silent = { info: () => {}, warn: () => {} };

const ADMIN = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;

const registered = (runnerId: number, projectId: number | null, more: object = {}) =>
  on(`runner-${runnerId}`, {
    type: 'RunnerRegistered',
    data: {
      ...{ runnerId, runnerType: projectId === null ? 'instance_type' : 'project_type', groupId: null },
      ...{ projectId, description: `Runner ${runnerId}`, active: true, tags: [], runUntagged: true },
      ...{ locked: false, accessLevel: 'not_protected', maximumTimeout: null },
      ...{ tokenSha256: `hash${runnerId}`, ...more },
    },
  });
const enabled = (runnerId: number, projectId: number) =>
  on(`runner-${runnerId}`, {
    type: 'RunnerEnabledForProject',
    data: { runnerId, projectId, reason: 'enabled' },
  });

/** 101 is the instance's, 102 and 103 are of project 7, 104 of project 8, which is the administrator's. */
const given = [
  userCreated(ADMIN, { admin: true }),
  userCreated(MAINTAINER),
  userCreated(DEVELOPER),
  projectCreated(7),
  projectCreated(8),
  projectCreated(9, { ownerId: MAINTAINER }),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
  registered(101, null),
  ...[registered(102, 7, { tags: ['docker', 'linux'] }), enabled(102, 7)],
  ...[registered(103, 7, { active: false, tags: ['docker'] }), enabled(103, 7)],
  ...[registered(104, 8), enabled(104, 8)],
];

const idsOf = ({ body }: { body: { id: number }[] }) => body.map(({ id }) => id);

test('lists show the runners that concern their reader', async () => {
  const { call } = await startSlices(
    [
      runnerSlice(
        createRunnerContacts(() => new Date()),
        () => {},
        createTokenGuesses(silent),
      ),
    ],
    given,
  );
  expect(idsOf(await call(listRunners, {}, MAINTAINER))).toEqual([103, 102]);
  expect(idsOf(await call(listRunners, {}, DEVELOPER))).toEqual([]);
  expect(idsOf(await call(listAllRunners, {}, ADMIN))).toEqual([104, 103, 102, 101]);
  expect((await call(listAllRunners, {}, MAINTAINER)).status).toBe(403);
  expect(idsOf(await call(listProjectRunners, { id: 7 }, MAINTAINER))).toEqual([103, 102, 101]);
  expect((await call(listProjectRunners, { id: 7 }, DEVELOPER)).status).toBe(403);
});

test('lists are filtered by type, tags and status', async () => {
  const { call } = await startSlices(
    [
      runnerSlice(
        createRunnerContacts(() => new Date()),
        () => {},
        createTokenGuesses(silent),
      ),
    ],
    given,
  );
  const { token } = (await call(resetInstanceToken, {}, ADMIN)).body;
  const { id, token: own } = (await call(registerRunner, { token })).body;
  await call(verifyRunner, { token: own });
  const found = async (params: object) => idsOf(await call(listAllRunners, { ...params }, ADMIN));
  expect(await found({ type: 'instance_type' })).toEqual([101, id]);
  expect(await found({ tag_list: 'docker' })).toEqual([103, 102]);
  expect(await found({ tag_list: 'docker,linux' })).toEqual([102]);
  expect(await found({ status: 'paused' })).toEqual([103]);
  expect(await found({ paused: false })).toEqual([104, 102, 101, id]);
  expect(await found({ status: 'online' })).toEqual([id]);
  expect(await found({ status: 'offline' })).toEqual([]);
  expect(await found({ status: 'not_connected' })).toEqual([104, 103, 102, 101]);
});

test('a runner is offline two hours after its last call', async () => {
  let now = new Date('2026-03-01T00:00:00Z');
  const { call } = await startSlices(
    [
      runnerSlice(
        createRunnerContacts(() => now),
        () => {},
        createTokenGuesses(silent),
      ),
    ],
    given,
    {
      clock: () => now,
    },
  );
  const { token } = (await call(resetInstanceToken, {}, ADMIN)).body;
  const { id, token: own } = (await call(registerRunner, { token })).body;
  await call(verifyRunner, { token: own });
  now = new Date('2026-03-01T01:59:59Z');
  expect((await call(getRunner, { id }, ADMIN)).body).toMatchObject({ status: 'online', online: true });
  now = new Date('2026-03-01T02:00:00Z');
  expect((await call(getRunner, { id }, ADMIN)).body).toMatchObject({ status: 'offline', online: false });
  expect(idsOf(await call(listAllRunners, { status: 'offline' }, ADMIN))).toEqual([id]);
});

test('a runner is shown to those who may change it, one of the instance to all', async () => {
  const { call } = await startSlices(
    [
      runnerSlice(
        createRunnerContacts(() => new Date()),
        () => {},
        createTokenGuesses(silent),
      ),
    ],
    given,
  );
  const status = async (id: number, caller: number) => (await call(getRunner, { id }, caller)).status;
  expect([await status(101, DEVELOPER), await status(102, MAINTAINER), await status(102, DEVELOPER)]).toEqual(
    [200, 200, 403],
  );
  expect([await status(104, MAINTAINER), await status(104, ADMIN), await status(99, ADMIN)]).toEqual([
    403, 200, 404,
  ]);
  expect((await call(getRunner, { id: 101 })).status).toBe(401);
});

test('a runner is changed and removed by maintainers of its project, one of the instance by nobody else', async () => {
  const { call } = await startSlices(
    [
      runnerSlice(
        createRunnerContacts(() => new Date()),
        () => {},
        createTokenGuesses(silent),
      ),
    ],
    given,
  );
  for (const [endpoint, params] of [
    [updateRunner, { active: false }],
    [deleteRunner, {}],
  ] as const)
    for (const [id, caller] of [
      [101, MAINTAINER],
      [102, DEVELOPER],
      [104, MAINTAINER],
    ] as const)
      expect(await call(endpoint, { id, ...params }, caller)).toMatchObject({ status: 403, events: [] });
  expect(await call(updateRunner, { id: 102, paused: true, tag_list: [] }, MAINTAINER)).toMatchObject({
    status: 200,
    body: { active: false, paused: true, status: 'paused', tag_list: [] },
    events: [{ type: 'RunnerUpdated', data: { changes: { active: false, tags: [] } } }],
  });
  expect((await call(updateRunner, { id: 102 }, MAINTAINER)).status).toBe(400);
  expect(await call(deleteRunner, { id: 102 }, MAINTAINER)).toMatchObject({
    status: 204,
    events: [{ type: 'RunnerDisabledForProject' }, { type: 'RunnerRemoved' }],
  });
});

test('a runner works for a further project of those who may change it', async () => {
  const { call } = await startSlices(
    [
      runnerSlice(
        createRunnerContacts(() => new Date()),
        () => {},
        createTokenGuesses(silent),
      ),
    ],
    given,
  );
  const enable = (id: number, runner_id: number, caller: number) =>
    call(enableProjectRunner, { id, runner_id }, caller);
  expect(await enable(9, 102, MAINTAINER)).toMatchObject({ status: 201, body: { id: 102 } });
  expect((await call(getRunner, { id: 102 }, MAINTAINER)).body.projects).toMatchObject([
    { id: 7 },
    { id: 9 },
  ]);
  expect((await enable(9, 102, MAINTAINER)).status).toBe(400);
  expect((await enable(9, 104, MAINTAINER)).status).toBe(403);
  expect((await enable(9, 101, MAINTAINER)).status).toBe(403);
  expect((await enable(9, 99, MAINTAINER)).status).toBe(404);
  expect((await call(deleteRunner, { id: 102 }, MAINTAINER)).status).toBe(403);
  const disable = (id: number) => call(disableProjectRunner, { id, runner_id: 102 }, MAINTAINER);
  expect([(await disable(7)).status, (await disable(7)).status, (await disable(9)).status]).toEqual([
    204, 404, 403,
  ]);
});
