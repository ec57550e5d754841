import { LRUCache } from 'lru-cache';

/** A cache bounded by bytes that drops what was used longest ago. For values that never change. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined;
  /** `bytes` is what the value weighs. One that is heavier than the cache is not kept. */
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
