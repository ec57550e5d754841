import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { measured } from '../measured.ts';
import { checkKey } from '../object-key.ts';
import {
  type ByteRange,
  type KeyOf,
  type ListedObject,
  ObjectGapError,
  type ObjectKey,
  type ObjectStore,
} from '../object-store.ts';
import { type Bucket, listed, openBucket, type S3Settings } from './s3-bucket.ts';
import { eachReachable, isBeyondTheEnd, isConflict, isMissing, reachable } from './s3-errors.ts';
import { growthKey, readGrowth, sizeOfGrowth } from './s3-growth.ts';
import { uploadInParts } from './s3-upload.ts';

const APPEND_TRIES = 5;
const INCOMING = 'incoming/';

/** Keeps objects in a bucket of a store that speaks S3. A growing object is one object for each append. */
export function openS3ObjectStore(settings: S3Settings): ObjectStore {
  let opened: Promise<Bucket> | undefined;
  const withBucket = <T>(step: (bucket: Bucket) => Promise<T>): Promise<T> =>
    reachable(async () => {
      opened ??= openBucket(settings);
      return step(await opened);
    });

  async function put(
    bucket: Bucket,
    key: ObjectKey | KeyOf,
    { chunks, result }: ReturnType<typeof measured>,
  ) {
    const { s3, client, name: Bucket } = bucket;
    const draft = `${INCOMING}${randomUUID()}`;
    const stored = lazy(result);
    const nameOf = lazy(async () => checkKey(typeof key === 'string' ? key : await key(stored().sha256)));
    const uploaded = await uploadInParts(bucket, chunks, {
      whole: nameOf,
      inParts: () => (typeof key === 'string' ? checkKey(key) : draft),
    });
    const name = await nameOf();
    // The name of a large object is known only after it was sent.
    if (uploaded !== name) {
      await client.send(new s3.CopyObjectCommand({ Bucket, Key: name, CopySource: `${Bucket}/${draft}` }));
      await client.send(new s3.DeleteObjectCommand({ Bucket, Key: draft }));
    }
    return { key: name, ...stored() };
  }

  async function getWhole(bucket: Bucket, key: string, range?: ByteRange) {
    const { s3, client, name: Bucket } = bucket;
    const { start, end = Number.POSITIVE_INFINITY } = range ?? { start: 0 };
    const last = end === Number.POSITIVE_INFINITY ? '' : end - 1;
    try {
      if (start >= end) return await nothingOf(bucket, key);
      const found = await client.send(
        new s3.GetObjectCommand({
          ...{ Bucket, Key: checkKey(key) },
          ...(range && { Range: `bytes=${start}-${last}` }),
        }),
      );
      const size = found.ContentRange?.split('/')[1] ?? found.ContentLength;
      return { size: Number(size), body: found.Body as Readable };
    } catch (error) {
      if (isBeyondTheEnd(error)) return nothingOf(bucket, key);
      return unlessMissing(error);
    }
  }

  async function nothingOf(bucket: Bucket, key: string) {
    const facts = await head(bucket, key);
    return facts && { size: facts.size, body: Readable.from([]) };
  }

  async function head({ s3, client, name: Bucket }: Bucket, key: string) {
    const found = await client
      .send(new s3.HeadObjectCommand({ Bucket, Key: checkKey(key) }))
      .catch(unlessMissing);
    return found && { size: found.ContentLength!, modifiedAt: found.LastModified! };
  }

  return {
    put(key, body, limit) {
      const measuring = measured(body, limit);
      return withBucket((bucket) => put(bucket, key, measuring));
    },
    get: (key, range) =>
      withBucket(async (bucket) => (await getWhole(bucket, key, range)) ?? readGrowth(bucket, key, range)),
    stat: (key) => withBucket(async (bucket) => (await head(bucket, key)) ?? sizeOfGrowth(bucket, key)),
    delete: (key) =>
      withBucket(async (bucket) => {
        const { s3, client, name: Bucket } = bucket;
        await client.send(new s3.DeleteObjectCommand({ Bucket, Key: checkKey(key) }));
        for await (const piece of listed(bucket, growthKey(key)))
          await client.send(new s3.DeleteObjectCommand({ Bucket, Key: piece.key }));
      }),
    async *list(prefix) {
      const bucket = await withBucket(async (one) => one);
      let growing: ListedObject | undefined;
      for await (const { key: name, size, modifiedAt } of eachReachable(listed(bucket, prefix))) {
        if (name.startsWith(INCOMING)) continue;
        const [key = '', offset] = name.split('/+');
        if (growing && growing.key !== key) yield growing;
        growing = offset === undefined ? undefined : { key, size: Number(offset) + size, modifiedAt };
        if (offset === undefined) yield { key, size, modifiedAt };
      }
      if (growing) yield growing;
    },
    append: (key, offset, bytes) =>
      withBucket(async (bucket) => {
        const { s3, client, name: Bucket } = bucket;
        // Of two writers at once the first wins; the other looks again.
        for (let left = APPEND_TRIES; ; left -= 1) {
          const size = (await sizeOfGrowth(bucket, key))?.size ?? 0;
          if (offset > size) throw new ObjectGapError(size);
          const Body = bytes.subarray(size - offset);
          if (Body.length === 0) return size;
          const Key = growthKey(key, size);
          try {
            await client.send(new s3.PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*' }));
            return size + Body.length;
          } catch (error) {
            if (left === 1 || !isConflict(error)) throw error;
          }
        }
      }),
    clearUnfinished: (before) =>
      withBucket(async (bucket) => {
        const { s3, client, name: Bucket } = bucket;
        for await (const { key: Key, modifiedAt } of listed(bucket, INCOMING))
          if (modifiedAt < before) await client.send(new s3.DeleteObjectCommand({ Bucket, Key }));
        const { Uploads = [] } = await client.send(new s3.ListMultipartUploadsCommand({ Bucket }));
        for (const { Key, UploadId, Initiated } of Uploads)
          if (Initiated! < before)
            await client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      }),
  };
}

function unlessMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
