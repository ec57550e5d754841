import {
  createFreezePeriod,
  deleteFreezePeriod,
  getFreezePeriod,
  listFreezePeriods,
  updateFreezePeriod,
} from '@forgelog/contracts/ci/freeze-periods/freeze-period.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { freezePeriodSlice } from './freeze-period.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const OUTSIDER = 4;
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OUTSIDER].map((id) => userCreated(id)),
  projectCreated(7),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
];
const period = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' };

test('a maintainer creates, reads, changes and deletes a freeze period', async () => {
  const { call } = await startSlices([freezePeriodSlice], given);
  const created = await call(createFreezePeriod, { id: 7, ...period }, MAINTAINER);
  expect(created).toMatchObject({
    status: 201,
    body: { id: 1, ...period, cron_timezone: 'UTC' },
    events: [{ type: 'FreezePeriodCreated', data: { projectId: 7, freezePeriodId: 1 } }],
  });
  const one = { id: 7, freeze_period_id: 1 };
  expect(await call(getFreezePeriod, one, MAINTAINER)).toMatchObject({ status: 200, body: created.body });
  expect(await call(updateFreezePeriod, { ...one, freeze_end: '0 8 * * 1' }, MAINTAINER)).toMatchObject({
    status: 200,
    body: { freeze_end: '0 8 * * 1' },
    events: [{ type: 'FreezePeriodUpdated', data: { changes: { freezeEnd: '0 8 * * 1' } } }],
  });
  expect(await call(deleteFreezePeriod, one, MAINTAINER)).toMatchObject({
    status: 204,
    events: [{ type: 'FreezePeriodDeleted' }],
  });
  expect((await call(listFreezePeriods, { id: 7 }, MAINTAINER)).body).toEqual([]);
});

test('a developer is rejected, and others do not see the project', async () => {
  const { call } = await startSlices([freezePeriodSlice], given);
  const refused = [];
  for (const caller of [DEVELOPER, OUTSIDER, null])
    refused.push(await call(createFreezePeriod, { id: 7, ...period }, caller));
  expect(refused.map(({ status }) => status)).toEqual([403, 404, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});

test('invalid input is rejected and changes nothing', async () => {
  const { call } = await startSlices([freezePeriodSlice], given);
  const wrong = await call(
    createFreezePeriod,
    { id: 7, freeze_start: 'soon', freeze_end: '* * * * *' },
    OWNER,
  );
  expect(wrong).toMatchObject({
    status: 400,
    body: { message: { freeze_start: ['is invalid syntax'] } },
    events: [],
  });
  expect(await call(getFreezePeriod, { id: 7, freeze_period_id: 1 }, OWNER)).toMatchObject({ status: 404 });
});
