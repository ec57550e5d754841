import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ObjectStoreUnavailableError } from '../object-store.ts';
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
