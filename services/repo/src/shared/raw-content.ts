import { Readable } from 'node:stream';
import type { RawBlob } from '@forgelog/git/objects/blob-reader.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { cachingHeaders, matchesEtag, notModified } from '@forgelog/service-kit/conditional.ts';
import { disposition } from '@forgelog/service-kit/disposition.ts';

/** Bytes up to which a blob is buffered; larger ones are streamed. */
const LARGEST_WHOLE = 1024 * 1024;
/** The number of bytes that git inspects to tell text from binary. */
const SNIFFED = 8000;

/**
 * Answers with a blob's bytes, as text/plain or as a download, never as a type that a browser would run. Its id is the
 * ETag, so a conditional request is answered without reading the blob.
 * @param name the file's name for "save as"
 */
export async function rawAnswer(
  repository: RepositoryReads,
  blob: RawBlob,
  name: string | undefined,
  request: Pick<ApiRequest, 'headers' | 'signal'>,
): Promise<Answer> {
  const etag = blobTag(blob);
  if (matchesEtag(request.headers, etag)) return notModified(etag);
  if (blob.size <= LARGEST_WHOLE) {
    const bytes = blob.content ?? (await repository.objects.read(blob.oid, LARGEST_WHOLE))!.content;
    return { kind: 'bytes', status: 200, bytes, headers: { ...rawHeaders(bytes, name), ETag: etag } };
  }
  const { head, stream } = await peek(await blob.stream(request.signal));
  return {
    kind: 'stream',
    status: 200,
    stream,
    headers: { ...rawHeaders(head, name), ...cachingHeaders(etag), 'Content-Length': blob.size },
  };
}

/** A strong ETag: equal ids mean equal bytes. */
export const blobTag = ({ oid }: Pick<RawBlob, 'oid'>): string => `"${oid}"`;

function rawHeaders(head: Buffer, name: string | undefined): Record<string, string> {
  const isText = !head.subarray(0, SNIFFED).includes(0);
  return {
    'Content-Type': isText ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'Content-Disposition': disposition(isText ? 'inline' : 'attachment', name),
    'X-Content-Type-Options': 'nosniff',
  };
}

/** Returns the first bytes of a stream, and a stream that still yields them. */
async function peek(source: Readable): Promise<{ head: Buffer; stream: Readable }> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await chunks.next();
  const head = first.done ? Buffer.alloc(0) : first.value;
  async function* whole() {
    yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  const stream = Readable.from(whole(), { objectMode: false });
  stream.once('close', () => source.destroy());
  return { head, stream };
}
