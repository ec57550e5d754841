import {
  getErrorTracking,
  updateErrorTracking,
} from '@forgelog/contracts/tracker/error-tracking/error-tracking.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { errorTrackingSlice } from './error-tracking.slice.ts';

const OWNER = 1;
const DEVELOPER = 2;
const given = [userCreated(OWNER), userCreated(DEVELOPER), projectCreated(7), memberAdded(7, DEVELOPER, 30)];
const elsewhere = { project_name: null, vendor_external_url: null, api_url: null };

test('tracking is off until a maintainer switches it on, and each change is told once', async () => {
  const { call } = await startSlices([errorTrackingSlice], given);
  const off = { active: false, integrated: false, ...elsewhere };
  expect((await call(getErrorTracking, { id: 7 }, OWNER)).body).toEqual(off);
  const on = await call(updateErrorTracking, { id: 7, active: true, integrated: true }, OWNER);
  expect(on).toMatchObject({
    status: 200,
    body: { active: true, integrated: true, ...elsewhere },
    events: [
      {
        type: 'ErrorTrackingCreated',
        data: { projectId: 7, active: true, integrated: true },
      },
    ],
  });
  const again = await call(updateErrorTracking, { id: 7, active: true }, OWNER);
  expect(again).toMatchObject({ body: on.body, events: [] });
  expect((await call(getErrorTracking, { id: 7 }, OWNER)).body).toEqual(on.body);
});

test('others may not, and whether it is active must be said', async () => {
  const { call } = await startSlices([errorTrackingSlice], given);
  expect((await call(getErrorTracking, { id: 7 }, DEVELOPER)).status).toBe(403);
  expect((await call(updateErrorTracking, { id: 7, active: true }, DEVELOPER)).status).toBe(403);
  expect(await call(updateErrorTracking, { id: 7, integrated: true }, OWNER)).toMatchObject({
    ...{ status: 400, body: { error: 'active is missing' }, events: [] },
  });
});
