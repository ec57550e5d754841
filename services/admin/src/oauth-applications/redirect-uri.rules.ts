/** Schemes whose addresses a browser would run or read instead of calling a program. */
const FORBIDDEN = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:'];
/** Characters that a `Location` header takes as they are. */
const PLAIN = /^[\x21-\x7e]+$/;

/** What is wrong with an address to which people are sent back; undefined for a good one. */
export function redirectProblem(uri: string): string | undefined {
  const url = PLAIN.test(uri) ? URL.parse(uri) : null;
  if (url === null) return 'must be an absolute URI';
  if (uri.includes('#')) return 'cannot contain a fragment';
  if (FORBIDDEN.includes(url.protocol)) return 'is of a forbidden scheme';
  return undefined;
}
