import type { Readable } from 'node:stream';

/**
 * The port for bytes that are too large for the log: artifacts, logs of jobs, uploads. What adapters share is
 * `testing/object-store.contract.ts`. Any call may throw ObjectStoreUnavailableError.
 */
export interface ObjectStore {
  /**
   * Stores a whole object in place of an earlier one. Once this resolves, it survives a crash; before, nobody sees it.
   * @param key where to store it, or a function that says so once the SHA-256 is known
   * @throws ObjectTooLargeError, and what `body` or `key` throws, with nothing stored
   */
  put(key: ObjectKey | KeyOf, body: ObjectBody, limit?: PutLimit): Promise<StoredObject>;
  /** Opens a whole or growing object; null if there is none. An unread body must be destroyed. */
  get(key: ObjectKey, range?: ByteRange): Promise<OpenObject | null>;
  stat(key: ObjectKey): Promise<ObjectFacts | null>;
  /** Deletes a whole or growing object. A missing one is no error. */
  delete(key: ObjectKey): Promise<void>;
  /** Lists all objects whose key begins so, in no order. Objects that come or go meanwhile may be missing. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /**
   * Adds to a growing object from this offset on; what it has already is kept, so a repeat changes nothing. Nothing added is no object.
   * Acknowledged bytes survive a crash. Only growing objects take it, not those of `put`.
   * @returns the new size
   * @throws ObjectGapError if the offset lies beyond the end
   */
  append(key: ObjectKey, offset: number, bytes: Uint8Array): Promise<number>;
  /** Removes what unfinished uploads left behind, if they began before this time. */
  clearUnfinished(before: Date): Promise<void>;
}

/** Words of letters, digits, `-`, `_` and `.` between slashes, 200 characters at most. No key is a folder of another. */
export type ObjectKey = string;
export type KeyOf = (sha256: string) => ObjectKey | Promise<ObjectKey>;
export type ObjectBody = Uint8Array | AsyncIterable<Uint8Array>;

export interface PutLimit {
  maxBytes?: number;
}

export interface StoredObject {
  key: ObjectKey;
  size: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Bytes from `start` to before `end`. An `end` beyond the object is its end. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface OpenObject {
  /** Size of the whole object in bytes, whatever the range. */
  size: number;
  body: Readable;
}

export interface ObjectFacts {
  size: number;
  /** When it was last written. */
  modifiedAt: Date;
}

export interface ListedObject extends ObjectFacts {
  key: ObjectKey;
}

/** The store cannot be reached, or has no space. */
export class ObjectStoreUnavailableError extends Error {
  override readonly name = 'ObjectStoreUnavailableError';
}

export class ObjectTooLargeError extends Error {
  override readonly name = 'ObjectTooLargeError';
  constructor(maxBytes: number) {
    super(`the object is larger than ${maxBytes} bytes`);
  }
}

export class ObjectGapError extends Error {
  override readonly name = 'ObjectGapError';
  /** How many bytes the object has. */
  readonly size: number;
  constructor(size: number) {
    super(`the object has ${size} bytes: an append must begin there or before`);
    this.size = size;
  }
}
