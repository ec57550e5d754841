/**
 * A cache bounded by bytes that drops what was not used lately. For values that never change. A hit only marks what
 * was used; the order is put right when something has to go, where each marked entry gets a second chance.
 */
export type ByteCache<Value> = {
  get(key: string): Value | undefined;
  /** `bytes` is what the value weighs. */
  set(key: string, value: Value, bytes: number): void;
  deletePrefix(prefix: string): void;
};

export function createByteCache<Value>(maxBytes: number): ByteCache<Value> {
  const entries = new Map<string, { value: Value; bytes: number; used: boolean }>(); // next to go first
  let total = 0;

  const remove = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entry.used = true;
      return entry.value;
    },
    set(key, value, bytes) {
      remove(key);
      if (bytes > maxBytes) return;
      entries.set(key, { value, bytes, used: false });
      total += bytes;
      for (const [oldest, entry] of entries) {
        if (total <= maxBytes) break;
        if (entry.used) {
          entry.used = false;
          entries.delete(oldest);
          entries.set(oldest, entry);
        } else remove(oldest);
      }
    },
    deletePrefix(prefix) {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) remove(key);
    },
  };
}
