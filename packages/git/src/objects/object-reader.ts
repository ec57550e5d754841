/** Reads objects by id, through a pooled session per repository and a cache of small objects. */

import { GitFailedError, ObjectNotFoundError, ObjectTooLargeError, SupervisorLostError } from '../errors.ts';
import type { GitLocation, GitRunner } from '../process/git-runner.ts';
import { createByteCache } from './byte-cache.ts';
import {
  createObjectSession,
  type ObjectAnswer,
  type ObjectInfo,
  type ObjectSession,
  type ObjectType,
} from './cat-file-session.ts';
import { assertOid } from './object-id.ts';

export type { ObjectInfo, ObjectType } from './cat-file-session.ts';
export type GitObject = ObjectInfo & { oid: string; content: Buffer };

/** The objects of one location. @throws InvalidNameError for malformed ids */
export interface ObjectReader {
  /** Returns type and size in bytes, with the content on a cache hit; undefined if the object does not exist. */
  info(oid: string): Promise<ObjectAnswer | undefined>;
  /** Reads an object; undefined if it does not exist. @throws ObjectTooLargeError above `maxBytes` (default 32 MiB) */
  read(oid: string, maxBytes?: number): Promise<GitObject | undefined>;
  /** Reads an object of this type. @throws ObjectNotFoundError */
  need(oid: string, type: ObjectType): Promise<Buffer>;
  /** Caches an object that was just written. */
  learn(object: Omit<GitObject, 'size'>): void;
}

export interface ObjectReaders {
  /** `cached` false turns off the cache for a quarantine, whose objects may be discarded. */
  of(at: GitLocation, key: string, cached?: boolean): ObjectReader;
  /** Ends the session of a key that is no longer used. */
  end(key: string): void;
  /** Ends the session and drops its cached objects, when the repository is removed. */
  forget(key: string): void;
  close(): void;
}

export interface ReaderOptions {
  sessions: number;
  idleMs: number;
  cacheBytes: number;
}

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const LARGEST_CACHED = 128 * 1024;

export function createObjectReaders(runner: GitRunner, options: ReaderOptions): ObjectReaders {
  type Entry = { session: Promise<ObjectSession>; usedAt: number };
  const entries = new Map<string, Entry>(); // least recently used first
  const cache = createByteCache<GitObject>(options.cacheBytes);
  const sweeper = setInterval(() => {
    const before = Date.now() - options.idleMs;
    for (const [key, entry] of entries) if (entry.usedAt < before) drop(key, entry);
  }, options.idleMs).unref();

  const drop = (key: string, entry: Entry) => {
    if (entries.get(key) === entry) entries.delete(key);
    void entry.session.then(closeWhenIdle, () => {});
  };

  const sessionOf = async (at: GitLocation, key: string): Promise<ObjectSession> => {
    let entry = entries.get(key);
    if (entry) {
      const session = await entry.session.catch(() => undefined);
      if (!session?.isOpen()) {
        if (entries.get(key) === entry) entries.delete(key);
        entry = entries.get(key);
      }
    }
    if (!entry) {
      const session = runner
        .start(at, ['cat-file', '--batch-command'], true, { weight: 'session', deadlineMs: 0 })
        .then(createObjectSession);
      session.catch(() => {});
      entry = { session, usedAt: 0 };
      const oldest = entries.entries().next().value;
      if (entries.size >= options.sessions && oldest) drop(...oldest);
    }
    entry.usedAt = Date.now();
    entries.delete(key);
    entries.set(key, entry);
    return entry.session;
  };

  /** Retries on a new session if the first ended: reads are idempotent. */
  const ask = async (
    at: GitLocation,
    key: string,
    request: (session: ObjectSession) => Promise<ObjectAnswer | undefined>,
  ) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request(await sessionOf(at, key));
      } catch (error) {
        const lost = error instanceof GitFailedError || error instanceof SupervisorLostError;
        if (!lost || attempt === 3) throw error;
      }
    }
  };

  const endKey = (key: string) => {
    const entry = entries.get(key);
    if (entry) drop(key, entry);
  };

  return {
    end: endKey,
    of(at, key, keep = true) {
      const put = (object: GitObject) => {
        if (keep && object.size <= LARGEST_CACHED)
          cache.set(`${key}\0${object.oid}`, object, object.size + 300);
      };
      // A 40-character cache hit was validated when stored; validate only ids that miss the cache.
      const kept = (oid: string) => (oid.length === 40 ? cache.get(`${key}\0${oid}`) : undefined);
      const info: ObjectReader['info'] = async (oid) => {
        const cached = kept(oid);
        if (cached) return cached;
        assertOid(oid);
        return ask(at, key, (session) => session.info(oid));
      };
      const read: ObjectReader['read'] = async (oid, maxBytes = DEFAULT_MAX_BYTES) => {
        const cached = kept(oid);
        if (cached && cached.size <= maxBytes) return cached;
        assertOid(oid);
        const answer = await ask(at, key, (session) => session.contents(oid, maxBytes));
        if (!answer) return undefined;
        const { type, size, content } = answer;
        if (!content) throw new ObjectTooLargeError(oid, size);
        const object = { oid, type, size, content };
        put(object);
        return object;
      };
      return {
        info,
        read,
        learn: ({ oid, type, content }) => put({ oid, type, content, size: content.length }),
        async need(oid, type) {
          const object = await read(oid);
          if (object?.type !== type) throw new ObjectNotFoundError(oid, type);
          return object.content;
        },
      };
    },
    forget(key) {
      endKey(key);
      cache.deletePrefix(`${key}\0`);
    },
    close() {
      clearInterval(sweeper);
      for (const [key, entry] of entries) drop(key, entry);
    },
  };
}

function closeWhenIdle(session: ObjectSession) {
  if (session.pending() === 0) session.close();
  else setTimeout(closeWhenIdle, 50, session).unref();
}
