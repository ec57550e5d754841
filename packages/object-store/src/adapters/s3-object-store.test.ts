import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ObjectStoreUnavailableError } from '../object-store.ts';
import { describeObjectStore } from '../testing/object-store.contract.ts';
import type { S3Settings } from './s3-bucket.ts';
import { openS3ObjectStore } from './s3-object-store.ts';

/* The contract runs against the server of S3_ENDPOINT, which `npm run test:real` starts. */
const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env;
const settings: S3Settings = {
  endpoint,
  bucket: `test-${randomUUID()}`,
  region: 'us-east-1',
  accessKeyId: S3_ACCESS_KEY_ID ?? 'none',
  secretAccessKey: S3_SECRET_ACCESS_KEY ?? 'none',
};

async function bucketMade(): Promise<void> {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const { accessKeyId, secretAccessKey, region } = settings;
  const client = new S3Client({
    ...{ endpoint: endpoint!, region, forcePathStyle: true },
    credentials: { accessKeyId, secretAccessKey },
  });
  await client.send(new CreateBucketCommand({ Bucket: settings.bucket }));
  client.destroy();
}

describe.skipIf(!endpoint)('on a real server (S3_ENDPOINT)', () => {
  let made: Promise<void> | undefined;
  describeObjectStore('S3', async () => {
    made ??= bucketMade();
    await made;
    return openS3ObjectStore(settings);
  });

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
