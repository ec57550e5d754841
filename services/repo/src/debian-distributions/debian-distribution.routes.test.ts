import { projectDebianDistributions } from '@forgelog/contracts/repo/debian-distributions/debian-distribution.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { debianDistributionSlice } from './debian-distribution.slice.ts';

const OWNER = 1;
const DEVELOPER = 2;
const GUEST = 3;
const given = [
  ...[OWNER, DEVELOPER, GUEST].map((id) => userCreated(id)),
  ...[projectCreated(7), projectCreated(8), memberAdded(7, DEVELOPER, 30), memberAdded(7, GUEST, 10)],
];
const { create, get, list, update, delete: remove } = projectDebianDistributions;
const started = () => startSlices([debianDistributionSlice], given);

test('a developer creates and changes a distribution, which is found by codename and suite', async () => {
  const { call } = await started();
  const created = await call(create, { id: 7, codename: 'bookworm', suite: 'stable' }, DEVELOPER);
  expect(created).toMatchObject({
    status: 201,
    body: { codename: 'bookworm', suite: 'stable', components: ['main'], architectures: ['all', 'amd64'] },
    events: [{ type: 'DebianDistributionCreated', data: { projectId: 7, groupId: null } }],
  });
  for (const codename of ['bookworm', 'stable'])
    expect((await call(get, { id: 7, codename }, DEVELOPER)).body).toEqual(created.body);
  const changed = await call(update, { id: 7, codename: 'stable', origin: 'Engines' }, DEVELOPER);
  expect(changed).toMatchObject({ status: 200, body: { codename: 'bookworm', origin: 'Engines' } });
  expect((await call(list, { id: 7, suite: 'stable' }, OWNER)).body).toEqual([changed.body]);
  expect((await call(list, { id: 7, codename: 'stable' }, OWNER)).body).toEqual([]);
});

test('a maintainer deletes it, and what is not there or elsewhere is not found', async () => {
  const { call } = await started();
  const one = { id: 7, codename: 'bookworm' };
  await call(create, one, OWNER);
  expect((await call(remove, one, DEVELOPER)).status).toBe(403);
  expect(await call(remove, one, OWNER)).toMatchObject({ status: 202, body: { message: '202 Accepted' } });
  for (const [endpoint, id] of [
    [get, 7],
    [update, 7],
    [remove, 7],
    [get, 8],
  ] as const)
    expect(await call(endpoint, { ...one, id }, OWNER)).toMatchObject({
      ...{ status: 404, body: { message: '404 Debian Distribution Not Found' }, events: [] },
    });
});

test('a guest of a private project sees none, as they see none of its code', async () => {
  const { call } = await started();
  expect((await call(list, { id: 7 }, GUEST)).status).toBe(403);
  expect((await call(create, { id: 7, codename: 'x' }, GUEST)).status).toBe(403);
});
