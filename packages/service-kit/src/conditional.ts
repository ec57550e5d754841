import type { Answer, Headers } from './answer.ts';

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What an answer with an ETag tells caches: to keep it, and to ask each time whether it still holds. */
export function cachingHeaders(etag: string): Headers {
  return { ETag: etag, 'Cache-Control': 'max-age=0, private, must-revalidate', Vary: 'Origin' };
}

/** Whether the caller has the answer that this ETag names. */
export function isKnown(headers: RequestHeaders, etag: string): boolean {
  const known = headers['if-none-match'];
  if (typeof known !== 'string') return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return known === '*' || known.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** For a handler that knows the ETag before it has the body: the 304 without having made one. */
export function notModified(etag: string): Answer {
  return { kind: 'empty', status: 304, headers: cachingHeaders(etag) };
}
