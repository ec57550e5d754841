/** Reads files: small ones into memory, larger ones as a stream. */
import type { Readable } from 'node:stream';
import { outputStream, STREAM_MS } from '../process/command-stream.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { entryAt } from '../trees/tree-reader.ts';

export interface File {
  oid: string;
  mode: string;
  name: string;
  path: string;
  /** In bytes. */
  size: number;
  content: Buffer;
}

export interface RawBlob {
  oid: string;
  /** In bytes. */
  size: number;
  /** Set on a cache hit. */
  content: Buffer | undefined;
  stream: (signal: AbortSignal) => Promise<Readable>;
}

/**
 * Reads the file at a path. Returns undefined if there is none; folders and submodules are no files. A symbolic link's
 * content is its target.
 * @throws ObjectTooLargeError above `maxBytes`
 */
export async function readFileAt(
  context: RepositoryContext,
  commitOid: string,
  path: string,
  maxBytes?: number,
): Promise<File | undefined> {
  const entry = await entryAt(context, commitOid, path);
  if (entry?.type !== 'blob') return undefined;
  const blob = await context.objects.read(entry.oid, maxBytes);
  if (!blob) return undefined;
  return {
    oid: entry.oid,
    mode: entry.mode,
    name: entry.name,
    path: entry.path,
    size: blob.size,
    content: blob.content,
  };
}

/** Opens a blob of any size for streaming. Returns undefined if it does not exist. */
export async function openBlob(context: RepositoryContext, oid: string): Promise<RawBlob | undefined> {
  const info = await context.objects.info(oid);
  if (info?.type !== 'blob') return undefined;
  return {
    oid,
    size: info.size,
    content: info.content,
    stream: async (signal) => {
      const args = ['cat-file', 'blob', oid];
      const run = { signal, deadlineMs: STREAM_MS };
      return outputStream(await context.runner.start(context, args, false, run), args);
    },
  };
}
