import {
  createBroadcastMessage,
  deleteBroadcastMessage,
  getBroadcastMessage,
  listBroadcastMessages,
  updateBroadcastMessage,
} from '@forgelog/contracts/admin/broadcast-messages/broadcast-message.api.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { broadcastMessageSlice } from './broadcast-message.slice.ts';

const ADMIN = 1;
const ADA = 2;
const given = [userCreated(ADMIN, { admin: true }), userCreated(ADA)];

test('a message is active for an hour unless it says otherwise, and everybody reads it', async () => {
  let now = new Date('2026-11-20T12:00:00.000Z');
  const { call } = await startSlices([broadcastMessageSlice], given, { clock: () => now });
  const { status, body } = await call(createBroadcastMessage, { message: 'Rest' }, ADMIN);
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      ...{ id: 1, message: 'Rest', starts_at: now.toISOString(), ends_at: '2026-11-20T13:00:00.000Z' },
      ...{ color: '#E75E40', font: '#FFFFFF', target_path: null, broadcast_type: 'banner' },
      ...{ dismissable: false, active: true },
    },
  });
  expect((await call(listBroadcastMessages, {}, null)).body).toEqual([body]);
  now = new Date('2026-11-20T13:00:00.000Z');
  expect((await call(getBroadcastMessage, { id: 1 }, ADA)).body).toEqual({ ...body, active: false });
  const later = {
    id: 1,
    ends_at: '2026-11-21T00:00:00Z',
    target_path: '/a/*',
    broadcast_type: 'notification',
  };
  expect(await call(updateBroadcastMessage, later, ADMIN)).toMatchObject({
    status: 200,
    body: { active: true, ends_at: '2026-11-21T00:00:00.000Z', target_path: '/a/*' },
  });
  expect((await call(deleteBroadcastMessage, { id: 1 }, ADMIN)).status).toBe(204);
  expect((await call(getBroadcastMessage, { id: 1 }, null)).status).toBe(404);
});

test('others than administrators, and wrong messages, change nothing', async () => {
  const { call } = await startSlices([broadcastMessageSlice], given);
  await call(createBroadcastMessage, { message: 'Rest' }, ADMIN);
  const refused = [];
  for (const by of [ADA, null]) {
    refused.push(await call(createBroadcastMessage, { message: 'x' }, by));
    refused.push(await call(updateBroadcastMessage, { id: 1, message: 'x' }, by));
    refused.push(await call(deleteBroadcastMessage, { id: 1 }, by));
  }
  refused.push(await call(createBroadcastMessage, { message: 'x', color: 'red' }, ADMIN));
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 401, 401, 401, 400]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});
