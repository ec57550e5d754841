import { randomUUID } from 'node:crypto';

export interface S3TestSettings {
  S3_ENDPOINT: string;
  S3_BUCKET: string;
  S3_REGION: string;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
}

/** A new bucket on the server that `npm run test:real` starts; undefined without one. */
export async function newTestBucket(): Promise<S3TestSettings | undefined> {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = process.env;
  if (!S3_ENDPOINT) return undefined;
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const [S3_BUCKET, S3_REGION] = [`test-${randomUUID()}`, 'us-east-1'];
  const client = new S3Client({
    ...{ endpoint: S3_ENDPOINT, region: S3_REGION, forcePathStyle: true },
    credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
  });
  await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET }));
  client.destroy();
  return { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
}
