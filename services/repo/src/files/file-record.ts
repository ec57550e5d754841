import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ObjectTooLargeError } from '@forgelog/git/errors.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { type Answer, type Headers, json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { cachingHeaders, matchesEtag, notModified } from '@forgelog/service-kit/conditional.ts';
import type { DescribedFile, LocatedFile } from './file-content.ts';

/** The largest file sent inside JSON, in bytes; larger ones are only available raw. */
const MAX_IN_JSON = 100 * 1024 * 1024;
/** Bytes up to which a file is read as a whole; larger ones are streamed, or a few callers could fill the memory. */
const LARGEST_WHOLE = 1024 * 1024;

/**
 * Repository file [L42] as JSON, with its content as Base64.
 * @throws ObjectTooLargeError above 100 MiB
 */
export async function fileAnswer(
  repository: RepositoryReads,
  { blob }: LocatedFile,
  request: Pick<ApiRequest, 'headers' | 'signal'>,
  describe: (content?: Buffer) => Promise<{ file: DescribedFile; headers: Headers }>,
): Promise<Answer> {
  if (blob.size > MAX_IN_JSON) throw new ObjectTooLargeError(blob.oid, blob.size);
  if (blob.size <= LARGEST_WHOLE) {
    const { content } = (await repository.objects.read(blob.oid, LARGEST_WHOLE))!;
    const { file, headers } = await describe(content);
    return json(`${opened(file)}${content.toString('base64')}"}`, { headers });
  }
  const { file, headers } = await describe();
  const begin = Buffer.from(opened(file));
  const etag = `W/"${createHash('sha1').update(begin).digest('base64url')}"`;
  if (matchesEtag(request.headers, etag)) return notModified(etag);
  const source = await blob.stream(request.signal);
  const stream = Readable.from(withBase64(begin, source), { objectMode: false });
  stream.once('close', () => source.destroy());
  const length = begin.length + 4 * Math.ceil(blob.size / 3) + 2;
  return {
    kind: 'stream',
    stream,
    headers: {
      ...{ 'Content-Type': 'application/json', 'Content-Length': length },
      ...cachingHeaders(etag),
      ...headers,
    },
    outline: `${begin}"}`,
  };
}

/** The record up to its content, which needs no escaping. */
function opened(file: DescribedFile): string {
  const record = JSON.stringify({
    file_name: file.entry.name,
    file_path: file.entry.path,
    size: file.blob.size,
    encoding: 'base64',
    content_sha256: file.sha256,
    ref: file.ref,
    blob_id: file.blob.oid,
    commit_id: file.commitId,
    last_commit_id: file.lastCommitId,
  });
  return `${record.slice(0, -1)},"content":"`;
}

async function* withBase64(begin: Buffer, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield begin;
  // Three bytes become four letters, so pieces are cut at multiples of three.
  let rest = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
  }
  yield Buffer.from(`${rest.toString('base64')}"}`, 'latin1');
}
