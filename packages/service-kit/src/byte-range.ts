import type { Readable } from 'node:stream';
import type { ByteRange } from '@forgelog/object-store/object-store.ts';
import type { Answer, Headers } from './answer.ts';
import { cachingHeaders, matchesEtag, notModified } from './conditional.ts';

const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/;

/**
 * The range that a request asks for (RFC 9110, 14.2): undefined for the whole file, null if it lies beyond the end.
 * Several ranges are answered by the whole file.
 */
export function requestedRange(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { size, etag }: Pick<ServedFile, 'size' | 'etag'>,
): Required<ByteRange> | undefined | null {
  const { range, 'if-range': condition } = headers;
  if (typeof range !== 'string' || (condition !== undefined && condition !== etag)) return undefined;
  const [whole, first, last, suffix] = ONE_RANGE.exec(range) ?? [];
  if (whole === undefined) return undefined;
  if (suffix !== undefined)
    return Number(suffix) === 0 || size === 0
      ? null
      : { start: Math.max(0, size - Number(suffix)), end: size };
  const start = Number(first);
  const end = last ? Math.min(Number(last) + 1, size) : size;
  if (last && Number(last) < start) return undefined;
  return start >= size ? null : { start, end };
}

export interface ServedFile {
  size: number;
  etag: string;
  headers: Headers;
  open(range?: ByteRange): Promise<Readable>;
}

/** Answers with a file, the range of it that was asked for, or that the caller has it already. */
export async function fileAnswer(
  request: Readonly<Record<string, string | string[] | undefined>>,
  { size, etag, headers, open }: ServedFile,
): Promise<Answer> {
  if (matchesEtag(request, etag)) return notModified(etag);
  const range = requestedRange(request, { size, etag });
  if (range === null) return { kind: 'empty', status: 416, headers: { 'Content-Range': `bytes */${size}` } };
  const { start, end } = range ?? { start: 0, end: size };
  return {
    kind: 'stream',
    status: range ? 206 : 200,
    stream: await open(range),
    headers: {
      ...cachingHeaders(etag),
      'Accept-Ranges': 'bytes',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': end - start,
      ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
      ...headers,
    },
  };
}
