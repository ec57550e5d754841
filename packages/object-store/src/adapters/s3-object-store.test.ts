import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ObjectStore, ObjectStoreUnavailableError } from '../object-store.ts';
import { describeObjectStore } from '../testing/object-store.contract.ts';
import { newTestBucket } from '../testing/s3-buckets.ts';
import type { S3Settings } from './s3-bucket.ts';
import { openS3ObjectStore } from './s3-object-store.ts';

const made = await newTestBucket();
const settings: S3Settings = {
  endpoint: made?.S3_ENDPOINT,
  bucket: made?.S3_BUCKET ?? 'none',
  region: 'us-east-1',
  accessKeyId: made?.S3_ACCESS_KEY_ID ?? 'none',
  secretAccessKey: made?.S3_SECRET_ACCESS_KEY ?? 'none',
};

describe.skipIf(!made)('on a real server (S3_ENDPOINT)', () => {
  describeObjectStore('S3', async () => openS3ObjectStore(settings));

  test('a bucket that is missing is a store that is away, not a missing object', async () => {
    const store = openS3ObjectStore({ ...settings, bucket: `missing-${randomUUID()}` });
    await expect(store.get('a/1')).rejects.toThrow(ObjectStoreUnavailableError);
    await expect(store.put('a/1', Buffer.from('x'))).rejects.toThrow(ObjectStoreUnavailableError);
  });

  test('wrong credentials are a store that is away', async () => {
    const store = openS3ObjectStore({ ...settings, secretAccessKey: 'w'.repeat(40) });
    await expect(store.put('a/1', Buffer.from('x'))).rejects.toThrow(ObjectStoreUnavailableError);
  });
});

test('a store that nobody runs is away', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  const store = openS3ObjectStore({ ...settings, endpoint: `http://127.0.0.1:${port}` });
  await expect(store.get('a/1')).rejects.toThrow(ObjectStoreUnavailableError);
});

/** A store that treats each request so, and how often each kind of request came. */
async function storeThat(treat: RequestListener, silentMs?: number) {
  const asked: Record<string, number> = {};
  const server = createHttpServer((request, response) => {
    const kind = `${request.method} ${request.url!.split('?')[0]}`;
    asked[kind] = (asked[kind] ?? 0) + 1;
    request.resume();
    treat(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const store = openS3ObjectStore({ ...settings, endpoint: `http://127.0.0.1:${port}`, silentMs });
  return { store, asked };
}

const EVERY_CALL: [string, (store: ObjectStore) => Promise<unknown>][] = [
  ['put of a small object', (store) => store.put('a/small', Buffer.from('x'))],
  ['put of a large object', (store) => store.put(() => 'a/large', Buffer.alloc(17 * 1024 * 1024))],
  ['get', (store) => store.get('a/1')],
  ['stat', (store) => store.stat('a/1')],
  ['append', (store) => store.append('a/log', 0, Buffer.from('x'))],
  ['delete', (store) => store.delete('a/1')],
  ['list', (store) => Array.fromAsync(store.list('a/'))],
  ['clearUnfinished', (store) => store.clearUnfinished(new Date())],
];

describe.each(EVERY_CALL)('%s', (_name, call) => {
  test('of a store that has too much to do is tried three times, and then says that it is away', async () => {
    const { store, asked } = await storeThat((_request, response) => {
      response.writeHead(503).end('<Error><Code>SlowDown</Code><Message>later</Message></Error>');
    });
    await expect(call(store)).rejects.toThrow(ObjectStoreUnavailableError);
    expect(Object.values(asked)[0]).toBe(3);
  });

  test('of a store that falls silent says that it is away', async () => {
    const { store } = await storeThat(() => {}, 200);
    await expect(call(store)).rejects.toThrow(ObjectStoreUnavailableError);
  });
});

test('an object of a store that has too much to do for a moment is stored all the same', async () => {
  let answers = 0;
  const { store, asked } = await storeThat((_request, response) => {
    answers += 1;
    response.writeHead(answers === 1 ? 503 : 200, { ETag: '"1"' }).end();
  });
  expect(await store.put('a/1', Buffer.from('x'))).toMatchObject({ key: 'a/1', size: 1 });
  expect(asked).toEqual({ [`PUT /${settings.bucket}/a/1`]: 2 });
});
