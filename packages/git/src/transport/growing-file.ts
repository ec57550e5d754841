/** An unlinked file with one writer and many readers, who read it from its start while it grows. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { STREAM_MS } from '../process/command-stream.ts';

export interface GrowingFile {
  /** Bytes written so far. */
  size(): number;
  readers(): number;
  /** Call before the first append. The file is unlinked at once, so a crash frees its space too. */
  openIn(folder: string): Promise<void>;
  append(chunk: Buffer): Promise<void>;
  /** Marks the end. With an error, readers fail after the last byte. */
  end(error?: Error): void;
  hasEnded(): boolean;
  /** Reads from the first byte to the end of the file, for an hour at most. */
  read(): Readable;
  /** Frees the space. Call after the end, when no reader is left. */
  close(): void;
}

const CHUNK_BYTES = 256 * 1024;

/** @param onUnread called when the last reader has left */
export function createGrowingFile(onUnread: () => void): GrowingFile {
  let handle: FileHandle | undefined;
  let size = 0;
  let readers = 0;
  let ended = false;
  let failure: Error | undefined;
  let more = Promise.withResolvers<void>();

  const announce = () => {
    const { resolve } = more;
    more = Promise.withResolvers();
    resolve();
  };

  async function next(stream: Readable, at: number): Promise<number> {
    while (at >= size && !ended) await more.promise;
    if (stream.destroyed) return at;
    if (at >= size) {
      if (failure) stream.destroy(failure);
      else stream.push(null);
      return at;
    }
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await handle!.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new Error('A kept answer is shorter than what was written');
    stream.push(chunk.subarray(0, bytesRead));
    return at + bytesRead;
  }

  return {
    size: () => size,
    readers: () => readers,
    hasEnded: () => ended,
    async openIn(folder) {
      const path = join(folder, randomUUID());
      handle = await open(path, 'wx+', 0o600);
      await rm(path);
    },
    async append(chunk) {
      for (let from = 0; from < chunk.length; ) {
        const { bytesWritten } = await handle!.write(chunk, from, chunk.length - from, size);
        from += bytesWritten;
        size += bytesWritten;
      }
      announce();
    },
    end(error) {
      ended = true;
      failure = error;
      announce();
    },
    read() {
      readers += 1;
      let at = 0;
      const stream = new Readable({
        highWaterMark: CHUNK_BYTES,
        read() {
          next(this, at).then(
            (reached) => {
              at = reached;
            },
            (error: Error) => this.destroy(error),
          );
        },
        destroy(error, done) {
          clearTimeout(deadline);
          readers -= 1;
          if (readers === 0) onUnread();
          done(error);
        },
      });
      const deadline = setTimeout(() => stream.destroy(new Error('The client took too long')), STREAM_MS);
      deadline.unref();
      return stream;
    },
    close() {
      handle?.close().catch(() => {});
      handle = undefined;
    },
  };
}
