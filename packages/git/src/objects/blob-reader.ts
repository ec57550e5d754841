/** Contents of files, whole where they are small and as a stream where they are not. */
import type { Readable } from 'node:stream';
import { outputStream, STREAM_MS } from '../process/command-stream.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { entryAt } from '../trees/tree-reader.ts';

export interface File {
  /** Id of the blob. */
  oid: string;
  mode: string;
  name: string;
  path: string;
  /** Bytes. */
  size: number;
  content: Buffer;
}

export interface RawBlob {
  oid: string;
  /** Bytes. */
  size: number;
  /** Where it is at hand. */
  content: Buffer | undefined;
  stream: (signal: AbortSignal) => Promise<Readable>;
}

/**
 * The file at a path, or undefined if there is none (a folder or a submodule is no file). A symbolic link's
 * content is its target. Above `maxBytes` an ObjectTooLargeError.
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

/** A blob of any size, to be sent on as it comes; undefined if there is no such blob. */
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
