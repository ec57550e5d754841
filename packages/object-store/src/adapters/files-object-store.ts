import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { KeyedQueue } from '@forgelog/eventing/keyed-queue.ts';
import { measured } from '../measured.ts';
import { checkKey } from '../object-key.ts';
import {
  type KeyOf,
  type ObjectBody,
  ObjectGapError,
  type ObjectKey,
  type ObjectStore,
  ObjectStoreUnavailableError,
  type PutLimit,
} from '../object-store.ts';

/**
 * Keeps objects as files below a folder: `ab/cd/<key>`, where `abcd` begins the SHA-256 of the first two words of the
 * key, its owner. A new file is written in `incoming`, synced, and renamed. One process owns the folder.
 */
export function openFilesObjectStore({ folder }: { folder: string }): ObjectStore {
  const incoming = join(folder, 'incoming');
  const appends = new KeyedQueue();

  const pathOf = (key: string): string => join(folder, fanOf(checkKey(key)), key);

  async function put(key: ObjectKey | KeyOf, body: ObjectBody, limit?: PutLimit) {
    const { chunks, result } = measured(body, limit);
    await makeFolder(incoming);
    const draft = join(incoming, randomUUID());
    try {
      await writeSynced(draft, chunks);
      const stored = result();
      const name = typeof key === 'string' ? key : await key(stored.sha256);
      await moveInto(pathOf(name), draft);
      return { key: name, ...stored };
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async function appendNow(path: string, offset: number, bytes: Uint8Array): Promise<number> {
    const held = await statOf(path);
    const size = held?.size ?? 0;
    if (offset > size) throw new ObjectGapError(size);
    const added = bytes.subarray(size - offset);
    if (added.length === 0) return size;
    const file = await withFolder(path, () => open(path, 'a', 0o600));
    try {
      await writeAll(file, added);
      await file.datasync();
    } finally {
      await file.close();
    }
    if (!held) await syncFolder(dirname(path));
    return size + added.length;
  }

  return {
    put: (...given) => reachable(() => put(...given)),
    get: (key, range) =>
      reachable(async () => {
        const path = pathOf(key);
        const file = await open(path).catch(unlessMissing);
        if (!file) return null;
        try {
          const { size } = await file.stat();
          const { start = 0, end = size } = range ?? {};
          return { size, body: bodyOf(file, { start, end: Math.min(end, size) }) };
        } catch (error) {
          await file.close();
          throw error;
        }
      }),
    stat: (key) => reachable(() => statOf(pathOf(key))),
    delete: (key) =>
      reachable(async () => {
        const path = pathOf(key);
        await rm(path, { force: true });
        await removeEmptyFolders(dirname(path), folder);
      }),
    async *list(prefix) {
      const [, within] = /^([^/]+\/[^/]+\/.*)$/.exec(prefix) ?? [];
      const files = within ? filesOf(join(folder, fanOf(within)), dirname(`${within}.`)) : filesBelow(folder);
      for await (const { key, path } of files) {
        const facts = key.startsWith(prefix) && (await statOf(path));
        if (facts) yield { key, ...facts };
      }
    },
    append: (key, offset, bytes) =>
      reachable(() => appends.run(key, () => appendNow(pathOf(key), offset, bytes))),
    clearUnfinished: (before) =>
      reachable(async () => {
        for await (const { path } of entriesOf(incoming)) {
          const facts = await statOf(path);
          if (facts && facts.modifiedAt < before) await rm(path, { force: true });
        }
      }),
  };
}

/** Streams a range of an open file, which then closes. */
function bodyOf(file: FileHandle, { start, end }: { start: number; end: number }): Readable {
  if (start < end) return createReadStream('', { fd: file, start, end: end - 1, highWaterMark: 262_144 });
  void file.close();
  return Readable.from([]);
}

async function moveInto(path: string, draft: string): Promise<void> {
  await withFolder(path, () => rename(draft, path));
  await syncFolder(dirname(path));
}

const FOLDER_TRIES = 5;

/** A deletion beside may remove the folder as empty, at any moment until the step. */
async function withFolder<T>(path: string, step: () => Promise<T>): Promise<T> {
  for (let left = FOLDER_TRIES; ; left -= 1) {
    await makeFolder(dirname(path));
    try {
      return await step();
    } catch (error) {
      if (left === 1) throw error;
      unlessMissing(error as NodeJS.ErrnoException);
    }
  }
}

async function removeEmptyFolders(path: string, root: string): Promise<void> {
  for (let empty = path; empty !== root; empty = dirname(empty)) {
    const removed = await rmdir(empty).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    if (!removed) return;
  }
}

/** While one write is under way, what arrives is gathered for the next. */
const GATHERED_BYTES = 1_048_576;

/** Resolves once the file is on disk. */
function writeSynced(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const options = { flags: 'wx', mode: 0o600, flush: true, highWaterMark: GATHERED_BYTES };
  return pipeline(chunks, createWriteStream(path, options));
}

/** A short write, as on a disk that fills up, goes on until it fails. */
async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
}

async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  // Each new folder is an entry of its parent, which must be on disk too.
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function statOf(path: string) {
  const found = await stat(path).catch(unlessMissing);
  return found ? { size: found.size, modifiedAt: found.mtime } : null;
}

/** Folders for the owner that a key names. */
function fanOf(key: string): string {
  const owner = key.split('/', 2).join('/');
  const hash = createHash('sha256').update(owner).digest('hex');
  return join(hash.slice(0, 2), hash.slice(2, 4));
}

const FAN = /^[0-9a-f]{2}$/;

async function* filesBelow(folder: string) {
  for await (const outer of entriesOf(folder))
    if (FAN.test(outer.name))
      for await (const inner of entriesOf(outer.path))
        if (FAN.test(inner.name)) yield* filesOf(inner.path, '');
}

/** The files in a folder and below, with their keys. */
async function* filesOf(fan: string, folder: string): AsyncGenerator<{ key: string; path: string }, void> {
  for await (const { name, path, isFile } of entriesOf(join(fan, folder))) {
    const key = folder === '' ? name : `${folder}/${name}`;
    if (isFile) yield { key, path };
    else yield* filesOf(fan, key);
  }
}

async function* entriesOf(folder: string) {
  const entries = await opendir(folder).catch(unlessMissing);
  for await (const entry of entries ?? [])
    yield { name: entry.name, path: join(folder, entry.name), isFile: entry.isFile() };
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** What a full or failing disk says; other errors are the caller's or ours. */
const AWAY = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'EACCES']);

async function reachable<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!AWAY.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new ObjectStoreUnavailableError((error as Error).message, { cause: error });
  }
}
