import { Readable } from 'node:stream';
import { measured } from '../measured.ts';
import { checkKey } from '../object-key.ts';
import { ObjectGapError, type ObjectStore } from '../object-store.ts';

/** Keeps objects in memory, for tests. */
export function openMemoryObjectStore({
  clock = () => new Date(),
}: {
  clock?: () => Date;
} = {}): ObjectStore {
  const objects = new Map<string, { bytes: Buffer; modifiedAt: Date }>();
  const keep = (key: string, bytes: Buffer) => objects.set(checkKey(key), { bytes, modifiedAt: clock() });

  return {
    async put(key, body, limit) {
      const { chunks, result } = measured(body, limit);
      const bytes = Buffer.concat(await Array.fromAsync(chunks));
      const stored = result();
      const name = typeof key === 'string' ? key : await key(stored.sha256);
      keep(name, bytes);
      return { key: name, ...stored };
    },
    async get(key, range) {
      const found = objects.get(checkKey(key));
      if (!found) return null;
      return {
        size: found.bytes.length,
        body: Readable.from([found.bytes.subarray(range?.start, range?.end)]),
      };
    },
    async stat(key) {
      const found = objects.get(checkKey(key));
      return found ? { size: found.bytes.length, modifiedAt: found.modifiedAt } : null;
    },
    async delete(key) {
      objects.delete(checkKey(key));
    },
    async *list(prefix) {
      for (const [key, { bytes, modifiedAt }] of objects)
        if (key.startsWith(prefix)) yield { key, size: bytes.length, modifiedAt };
    },
    async append(key, offset, bytes) {
      const held = objects.get(checkKey(key))?.bytes ?? Buffer.alloc(0);
      if (offset > held.length) throw new ObjectGapError(held.length);
      const added = bytes.subarray(held.length - offset);
      if (added.length > 0) keep(key, Buffer.concat([held, added]));
      return held.length + added.length;
    },
    async clearUnfinished() {},
  };
}
