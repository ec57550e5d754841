import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  createClientKey,
  deleteClientKey,
  listClientKeys,
} from '@forgelog/contracts/tracker/error-tracking/client-key.api.ts';
import {
  collectEnvelope,
  collectStored,
  MAX_REPORT_BYTES,
} from '@forgelog/contracts/tracker/error-tracking/collector.api.ts';
import { updateErrorTracking } from '@forgelog/contracts/tracker/error-tracking/error-tracking.api.ts';
import {
  deleteError,
  getError,
  listErrors,
  updateError,
} from '@forgelog/contracts/tracker/error-tracking/tracked-error.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { errorTrackingSlice } from './error-tracking.slice.ts';
import { MOST_REPORTS } from './report-limit.ts';

const OWNER = 1;
const [DEVELOPER, REPORTER, GUEST] = [2, 3, 4];
const given = [
  ...[OWNER, DEVELOPER, REPORTER, GUEST].map((id) => userCreated(id)),
  ...[projectCreated(7), projectCreated(8), memberAdded(7, DEVELOPER, 30)],
  ...[memberAdded(7, REPORTER, 20), memberAdded(7, GUEST, 10)],
];
const EVENT_ID = '3f1d8c0be7a94c52a6d0918b2f47c6e1';
const event = (value: string) => ({
  event_id: EVENT_ID,
  exception: { values: [{ type: 'TypeError', value }] },
});

async function started() {
  const slices = await startSlices([errorTrackingSlice], given);
  const { call } = slices;
  for (const id of [7, 8]) await call(updateErrorTracking, { id, active: true, integrated: true }, OWNER);
  const key = (await call(createClientKey, { id: 7 }, OWNER)).body;
  const store = (payload: unknown, headers: Record<string, string> = {}, params: object = {}) =>
    call(collectStored, { project_id: 7, sentry_key: key.public_key, ...params }, null, {
      payload: Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
      headers,
    });
  return { ...slices, key, store };
}

test('a report makes an error that developers see, resolve and delete', async () => {
  const { call, store } = await started();
  expect(await store(event('engine is undefined'))).toMatchObject({
    ...{ status: 200, body: { id: EVENT_ID }, events: [{ type: 'TrackedErrorCreated' }] },
  });
  await store({ message: 'low on steam' });
  const { body: errors } = await call(listErrors, { id: 7, sort: 'asc' }, REPORTER);
  expect(errors.map(({ title }: { title: string }) => title).toSorted()).toEqual([
    ...['TypeError: engine is undefined', 'low on steam'],
  ]);
  const { body: found } = await call(listErrors, { id: 7, search: 'ENGINE', status: 'unresolved' }, REPORTER);
  const one = { id: 7, error_id: found[0].id };
  expect((await call(getError, one, REPORTER)).body).toMatchObject({
    ...{ count: 1, status: 'unresolved', occurrence: { event_id: EVENT_ID } },
  });
  expect((await call(updateError, { ...one, status: 'resolved' }, REPORTER)).status).toBe(403);
  expect(await call(updateError, { ...one, status: 'resolved' }, DEVELOPER)).toMatchObject({
    ...{ status: 200, body: { status: 'resolved' } },
    events: [{ type: 'TrackedErrorUpdated', data: { changes: { status: 'resolved' } } }],
  });
  expect(await store(event('engine is undefined'))).toMatchObject({
    events: [{ type: 'TrackedErrorReopened' }],
  });
  expect((await call(getError, one, REPORTER)).body).toMatchObject({ count: 2, status: 'unresolved' });
  expect(await store(event('engine is undefined'))).toMatchObject({ status: 200, events: [] });
  expect((await call(getError, { ...one, id: 8 }, OWNER)).status).toBe(404);
  expect((await call(listErrors, { id: 7 }, GUEST)).status).toBe(403);
  expect((await call(deleteError, one, DEVELOPER)).status).toBe(204);
  expect((await call(getError, one, REPORTER)).status).toBe(404);
});

test('a key is in a DSN, opens its project alone, and nothing once it is deleted', async () => {
  const { call, store, key } = await started();
  expect(key.sentry_dsn).toBe(`http://${key.public_key}@forgelog.test/api/v4/error_tracking/collector/7`);
  expect(key.public_key).toMatch(/^glet_\w{32}$/);
  expect((await call(listClientKeys, { id: 7 }, OWNER)).body).toEqual([key]);
  expect((await call(listClientKeys, { id: 7 }, DEVELOPER)).status).toBe(403);
  const header = {
    'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key.public_key}, sentry_client=x/1`,
  };
  expect(
    (await call(collectStored, { project_id: 7 }, null, { payload: '{"message":"a"}', headers: header }))
      .status,
  ).toBe(200);
  const refused = [
    await store(event('a'), {}, { project_id: 8 }),
    await store(event('a'), {}, { project_id: 99 }),
    await store(event('a'), {}, { sentry_key: `${key.public_key}0` }),
    await call(collectStored, { project_id: 7 }, OWNER, { payload: '{"message":"a"}' }),
  ];
  await call(updateErrorTracking, { id: 7, active: true, integrated: false }, OWNER);
  refused.push(await store(event('b')));
  await call(updateErrorTracking, { id: 7, active: false, integrated: true }, OWNER);
  refused.push(await store(event('b')));
  await call(updateErrorTracking, { id: 7, active: true }, OWNER);
  expect((await call(deleteClientKey, { id: 7, key_id: key.id }, OWNER)).body).toEqual(key);
  refused.push(await store(event('b')));
  for (const one of refused)
    expect(one).toMatchObject({ status: 404, body: { message: '404 Not Found' }, events: [] });
  expect((await call(deleteClientKey, { id: 7, key_id: key.id }, OWNER)).status).toBe(404);
});

test('packed reports are unpacked, and bombs and garbage are refused', async () => {
  const { store } = await started();
  const plain = Buffer.from(JSON.stringify(event('packed')));
  for (const [coding, packed] of [
    ['gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
  ] as const)
    expect((await store(packed, { 'content-encoding': coding })).status, coding).toBe(200);
  const bomb = Buffer.alloc(MAX_REPORT_BYTES * 10, ' ');
  for (const [wrong, coding, status] of [
    [gzipSync(bomb), 'gzip', 413],
    [deflateSync(bomb), 'deflate', 413],
    [brotliCompressSync(bomb, { params: { 1: 1 } }), 'br', 413],
    [Buffer.alloc(MAX_REPORT_BYTES + 1, ' '), 'identity', 413],
    [Buffer.from('x'), 'br', 400],
    [gzipSync(plain).subarray(0, 20), 'gzip', 400],
    [plain, 'zstd', 415],
    [Buffer.from('['.repeat(MAX_REPORT_BYTES - 1)), 'identity', 400],
    [Buffer.from('{"a":'.repeat(100_000)), 'identity', 400],
    [Buffer.from('{}'), 'identity', 400],
    [Buffer.alloc(0), 'identity', 400],
  ] as const)
    expect(await store(wrong, { 'content-encoding': coding }), coding).toMatchObject({ status, events: [] });
});

test('an envelope without an error is taken and dropped', async () => {
  const { call, key } = await started();
  const payload = '{}\n{"type":"session"}\n{"sid":"x"}\n{"type":"client_report"}\n{}\n';
  const params = { project_id: 7, sentry_key: key.public_key };
  expect(await call(collectEnvelope, params, null, { payload })).toMatchObject({
    status: 200,
    body: {},
    events: [],
  });
});

test('a key that reports too often is told when to go on, and others are not', async () => {
  const { call, store } = await started();
  const other = (await call(createClientKey, { id: 7 }, OWNER)).body.public_key;
  await store(event('loop'));
  for (let left = MOST_REPORTS - 1; left > 0; left -= 1) await store(event('loop'));
  expect(await store(event('loop'))).toMatchObject({
    status: 429,
    headers: {
      'retry-after': expect.stringMatching(/^\d\d?$/),
      'x-sentry-rate-limits': expect.stringMatching(/^\d\d?::key$/),
    },
    events: [],
  });
  expect((await store(event('loop'), {}, { sentry_key: other })).status).toBe(200);
});

test('two reports of a new error at once are one error', async () => {
  const { call, store } = await started();
  await Promise.all(Array.from({ length: 5 }, () => store(event('at once'))));
  const { body } = await call(listErrors, { id: 7 }, OWNER);
  expect(body).toHaveLength(1);
});
