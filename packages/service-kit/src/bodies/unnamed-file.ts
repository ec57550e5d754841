import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that is unlinked as soon as it is open, so that a killed process leaves nothing behind. */
export class UnnamedFile {
  readonly #handle: FileHandle;
  size = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** @param folder created where it is missing */
  static async openIn(folder: string): Promise<UnnamedFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    const handle = await open(path, 'wx+', 0o600);
    await rm(path);
    return new UnnamedFile(handle);
  }

  async append(chunk: Buffer): Promise<void> {
    for (let from = 0; from < chunk.length; ) {
      const { bytesWritten } = await this.#handle.write(chunk, from, chunk.length - from, this.size);
      from += bytesWritten;
      this.size += bytesWritten;
    }
  }

  async readAll(): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(this.size);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await this.#handle.read(bytes, at, bytes.length - at, at);
      if (bytesRead === 0) throw new Error('a spilled request body is shorter than what was written');
      at += bytesRead;
    }
    return bytes;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
