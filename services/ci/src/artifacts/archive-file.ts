import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectStore } from '@forgelog/object-store/object-store.ts';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';

export interface ArchiveFile {
  /** Bytes after unpacking. */
  size: number;
  crc32: number;
  open(): Promise<Readable>;
}

/** An archive that is none, is encrypted, or packed in a way that is not understood. */
export class UnreadableArchiveError extends Error {
  override readonly name = 'UnreadableArchiveError';
}

/** The directory is read in pieces of this size: a store answers one request as fast as a byte. */
const WINDOW_BYTES = 256 * 1024;
const MOST_ENTRIES = 1_000_000;
/** Entries between two turns of other requests. */
const ENTRIES_A_TURN = 500;

/**
 * Finds a file in a ZIP archive of the object store; null if there is none. Reads the archive's directory and, once
 * opened, the bytes of that file.
 * @throws UnreadableArchiveError
 */
export async function findInArchive(
  objects: ObjectStore,
  archive: { key: string; size: number },
  path: string,
): Promise<ArchiveFile | null> {
  const reader = new ObjectReader(objects, archive);
  const wanted = Buffer.from(path);
  try {
    const zip = await fromRandomAccessReaderPromise(reader, archive.size, {
      ...{ autoClose: false, lazyEntries: true },
      // Compared as bytes. Decoding would refuse the whole archive for one name that leads outside of it.
      decodeStrings: false,
    });
    if (zip.entryCount > MOST_ENTRIES)
      throw new Error(`the archive has ${zip.entryCount} files, and the most is ${MOST_ENTRIES}`);
    let looked = 0;
    for await (const entry of zip.eachEntry()) {
      if (entry.fileNameRaw.equals(wanted)) {
        if (isLink(entry)) return null;
        if (!entry.canDecodeFileData()) throw new Error('the file is encrypted or packed in an unknown way');
        return {
          size: entry.uncompressedSize,
          crc32: entry.crc32,
          open: () => zip.openReadStreamPromise(entry),
        };
      }
      if (++looked % ENTRIES_A_TURN === 0) await nextTurn();
    }
    return null;
  } catch (error) {
    throw reader.failure ?? new UnreadableArchiveError((error as Error).message, { cause: error });
  }
}

const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;
/** The upper half are the permissions of Unix. */
const isLink = ({ externalFileAttributes }: Entry) =>
  ((externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK;

class ObjectReader extends RandomAccessReader {
  readonly #objects: ObjectStore;
  readonly #archive: { key: string; size: number };
  #window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };
  /** Why the store could not be read; the archive may be sound. */
  failure: Error | undefined;

  constructor(objects: ObjectStore, archive: { key: string; size: number }) {
    super();
    this.#objects = objects;
    this.#archive = archive;
  }

  async #open(start: number, end: number): Promise<Readable> {
    const found = await this.#objects.get(this.#archive.key, { start, end });
    if (!found) throw new Error(`the object ${this.#archive.key} is missing`);
    return found.body;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const open = () => this.#open(start, end);
    return Readable.from(
      (async function* () {
        yield* await open();
      })(),
      { objectMode: false },
    );
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    const copied = this.#copy(into, offset, length, position);
    if (copied) {
      process.nextTick(done, null);
      return;
    }
    const end = Math.min(this.#archive.size, position + Math.max(length, WINDOW_BYTES));
    this.#open(position, end)
      .then(buffer)
      .then(
        (bytes) => {
          this.#window = { start: position, bytes };
          done(this.#copy(into, offset, length, position) ? null : new Error('the archive is cut off'));
        },
        (error: Error) => {
          this.failure = error;
          done(error);
        },
      );
  }

  #copy(into: Buffer, offset: number, length: number, position: number): boolean {
    const { start, bytes } = this.#window;
    const from = position - start;
    if (from < 0 || from + length > bytes.length) return false;
    bytes.copy(into, offset, from, from + length);
    return true;
  }
}
