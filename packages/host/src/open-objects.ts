import { join } from 'node:path';
import { openFilesObjectStore } from '@forgelog/object-store/adapters/files-object-store.ts';
import { openS3ObjectStore } from '@forgelog/object-store/adapters/s3-object-store.ts';
import type { ObjectStore } from '@forgelog/object-store/object-store.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';

/** Opens the bucket that the settings name, else files below DATA_DIR. Reads and writes nothing yet. */
export function openObjects(configuration: Configuration): ObjectStore {
  const { DATA_DIR, S3_BUCKET, S3_ENDPOINT, S3_REGION } = configuration;
  if (S3_BUCKET === undefined) return openFilesObjectStore({ folder: join(DATA_DIR, 'objects') });
  return openS3ObjectStore({
    bucket: S3_BUCKET,
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    // readSettings refuses a bucket without both.
    accessKeyId: configuration.S3_ACCESS_KEY_ID!,
    secretAccessKey: configuration.S3_SECRET_ACCESS_KEY!,
  });
}
