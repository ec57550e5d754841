import type { Answer, Headers } from './answer.ts';

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Lets caches store the answer, and revalidate it on each request. */
export function cachingHeaders(etag: string): Headers {
  return { ETag: etag, 'Cache-Control': 'max-age=0, private, must-revalidate', Vary: 'Origin' };
}

export function matchesEtag(headers: RequestHeaders, etag: string): boolean {
  const known = headers['if-none-match'];
  if (typeof known !== 'string') return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return known === '*' || known.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** A 304 for a handler that knows the ETag before it computes the body. */
export function notModified(etag: string): Answer {
  return { kind: 'empty', status: 304, headers: cachingHeaders(etag) };
}
