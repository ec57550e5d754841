import { LRUCache } from 'lru-cache';

/** An LRU cache for immutable values, bounded by bytes. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined;
  /** `bytes` is the value's size. A value larger than the cache is not stored. */
  set(key: string, value: Value, bytes: number): void;
  delete(key: string): void;
  deletePrefix(prefix: string): void;
}

export function createByteCache<Value>(maxBytes: number): ByteCache<Value> {
  const entries = new LRUCache<string, { value: Value }>({ maxSize: Math.max(1, maxBytes) });
  return {
    get: (key) => entries.get(key)?.value,
    set: (key, value, bytes) => void entries.set(key, { value }, { size: Math.max(1, Math.ceil(bytes)) }),
    delete: (key) => void entries.delete(key),
    deletePrefix(prefix) {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) entries.delete(key);
    },
  };
}
