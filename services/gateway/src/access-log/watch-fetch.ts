import type { Readable } from 'node:stream';

const HAVE = /[0-9a-f]{4}have [0-9a-f]{40}/;
const LS_REFS = /^[0-9a-f]{4}command=ls-refs/;
/** Characters that may belong to a `have` line of which the rest has not come yet. */
const LONGEST_LINE = 49;

/**
 * Watches a request body of `git-upload-pack` while it is read by somebody else. Returns what it asks for as far as it
 * was read: undefined for a list of refs, or for nothing.
 */
export function watchFetch(body: Readable): () => 'clone' | 'fetch' | undefined {
  let isList = false;
  let hasObjects = false;
  let rest: string | undefined;
  // A listener would let the data flow before its reader is there.
  body.pause();
  body.on('data', (chunk: Buffer) => {
    if (hasObjects || isList) return;
    const text = (rest ?? '') + chunk.toString('latin1');
    isList = rest === undefined && LS_REFS.test(text);
    hasObjects = HAVE.test(text);
    rest = text.slice(-LONGEST_LINE);
  });
  return () => (isList || rest === undefined ? undefined : hasObjects ? 'fetch' : 'clone');
}
