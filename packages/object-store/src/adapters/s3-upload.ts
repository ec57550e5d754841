import type { Bucket } from './s3-bucket.ts';

/** A store accepts parts of 5 MiB or more, at most 10,000 of them: objects of up to 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;

/** Where an object goes: with one request once it is complete, or part by part before it is. */
interface Destination {
  whole: () => Promise<string>;
  inParts: () => string;
}

/** Sends a body, with no more than two parts of it in memory. Returns the key that it has now. */
export async function uploadInParts(
  bucket: Bucket,
  chunks: AsyncIterable<Uint8Array>,
  destination: Destination,
): Promise<string> {
  const { s3, client, name: Bucket } = bucket;
  const parts = inParts(chunks);
  const first = await parts.next();
  const second = await parts.next();
  if (second.done) {
    const Key = await destination.whole();
    await client.send(new s3.PutObjectCommand({ Bucket, Key, Body: first.value ?? Buffer.alloc(0) }));
    return Key;
  }
  const Key = destination.inParts();
  const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key }));
  const sent: { ETag: string | undefined; PartNumber: number }[] = [];
  const send = async (Body: Buffer) => {
    const PartNumber = sent.length + 1;
    const { ETag } = await client.send(new s3.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    sent.push({ ETag, PartNumber });
  };
  try {
    await send(first.value!);
    await send(second.value);
    for await (const part of parts) await send(part);
    await client.send(
      new s3.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts: sent } }),
    );
  } catch (error) {
    await client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {});
    throw error;
  }
  return Key;
}

/** Joins chunks of any size to parts; the last one may be smaller. */
async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}
