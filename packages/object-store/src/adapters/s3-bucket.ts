import type { S3Client } from '@aws-sdk/client-s3';

export interface S3Settings {
  bucket: string;
  /** undefined for Amazon's own service. */
  endpoint?: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Milliseconds after which a store that says nothing is asked again. */
  silentMs?: number;
}

/** A connection to a bucket: the client, its commands and the bucket's name. */
export interface Bucket {
  s3: typeof import('@aws-sdk/client-s3');
  client: S3Client;
  name: string;
}

const CONNECT_MS = 5_000;
const SILENT_MS = 60_000;

export async function openBucket({
  bucket,
  endpoint,
  region,
  silentMs = SILENT_MS,
  ...credentials
}: S3Settings): Promise<Bucket> {
  // Loaded at the first use: it takes 200 ms, and most instances keep files.
  const s3 = await import('@aws-sdk/client-s3');
  const client = new s3.S3Client({
    region,
    credentials,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // Stores of other makers do not all know Amazon's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: silentMs },
  });
  return { s3, client, name: bucket };
}

/** What lies below a prefix, in the order of keys. */
export async function* listed({ s3, client, name }: Bucket, prefix: string) {
  const pages = s3.paginateListObjectsV2({ client }, { Bucket: name, Prefix: prefix });
  for await (const { Contents = [] } of pages)
    for (const { Key = '', Size = 0, LastModified } of Contents)
      yield { key: Key, size: Size, modifiedAt: LastModified ?? new Date() };
}
