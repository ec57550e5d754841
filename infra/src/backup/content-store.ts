import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '@forgelog/git/objects/loose-object-writer.ts';
import { BackupError } from './backup-error.ts';

/** Bytes under the name of their SHA-256: `data/ab/abcd…`. Nothing is ever changed, so an earlier backup stays whole. */
export interface ContentStore {
  put(chunks: AsyncIterable<Uint8Array>): Promise<Content>;
  /** @throws BackupError at the end of bytes that are not those of the name, or where they are missing */
  read(sha256: string): AsyncGenerator<Buffer, void>;
  /** Makes the names of all that was put survive a crash; their bytes do already. */
  sync(): Promise<void>;
  /** Removes what nothing needs, and the rests of a run that was killed. */
  sweep(isNeeded: (sha256: string) => boolean): Promise<void>;
}

export interface Content {
  sha256: string;
  size: number;
}

const READ_BYTES = 1024 * 1024;

export function openContentStore(folder: string): ContentStore {
  const data = join(folder, 'data');
  const incoming = join(folder, 'incoming');
  const fans = new Set<string>();
  const nameOf = (sha256: string) => join(data, sha256.slice(0, 2), sha256);

  async function keep({ sha256, size }: Content, draft: string): Promise<void> {
    const name = nameOf(sha256);
    const held = await stat(name).catch(() => undefined);
    if (held?.size === size) return rm(draft);
    await mkdir(dirname(name), { recursive: true, mode: 0o700 });
    await rename(draft, name);
    fans.add(dirname(name));
  }

  return {
    async put(chunks) {
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      const draft = join(incoming, randomUUID());
      try {
        const content = await writeSynced(draft, chunks);
        await keep(content, draft);
        return content;
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async *read(sha256) {
      const name = nameOf(sha256);
      const hash = createHash('sha256');
      try {
        for await (const chunk of createReadStream(name, { highWaterMark: READ_BYTES })) {
          hash.update(chunk);
          yield chunk;
        }
      } catch (cause) {
        throw new BackupError(`${name} cannot be read: ${(cause as Error).message}`, { cause });
      }
      if (hash.digest('hex') !== sha256) throw new BackupError(`${name} is damaged`);
    },
    async sync() {
      for (const fan of fans) await syncFolder(fan);
      if (fans.size > 0) await syncFolder(data);
      fans.clear();
    },
    async sweep(isNeeded) {
      await rm(incoming, { recursive: true, force: true });
      for (const fan of await readdir(data).catch(() => []))
        for (const name of await readdir(join(data, fan)))
          if (!isNeeded(name)) await rm(join(data, fan, name));
    },
  };
}

export async function writeSynced(path: string, chunks: AsyncIterable<Uint8Array>): Promise<Content> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), size };
}
