import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type ByteRange, ObjectGapError, type ObjectStore, ObjectTooLargeError } from '../object-store.ts';

const LARGE = 20 * 1024 * 1024;
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Bytes whose place can be told from their value. */
const pattern = (size: number, seed = 0) => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE((at * 2_654_435_761 + seed) >>> 0, at);
  return bytes;
};

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The contract that every adapter of the object store runs. `open` may return a store that others use too. */
export function describeObjectStore(name: string, open: () => Promise<ObjectStore>): void {
  describe(`object store: ${name}`, () => {
    const fresh = async () => ({ store: await open(), key: `test-${randomUUID()}/a.b/c_d-e` });

    async function read(store: ObjectStore, key: string, range?: ByteRange): Promise<Buffer | null> {
      const found = await store.get(key, range);
      if (!found) return null;
      const bytes = await buffer(found.body);
      if (!range) expect(found.size).toBe(bytes.length);
      return bytes;
    }

    const keysOf = async (store: ObjectStore, prefix: string) =>
      (await Array.fromAsync(store.list(prefix))).map((one) => one.key).sort();

    test('returns what was stored, with its size and hash', async () => {
      const { store, key } = await fresh();
      const bytes = pattern(100_003);
      const stored = await store.put(key, inChunks(bytes, 7_001));
      expect(stored).toEqual({ key, size: bytes.length, sha256: sha256Of(bytes) });
      expect((await read(store, key))!.equals(bytes)).toBe(true);
      const facts = (await store.stat(key))!;
      expect(facts.size).toBe(bytes.length);
      expect(Math.abs(Date.now() - facts.modifiedAt.getTime())).toBeLessThan(60_000);
    });

    test('knows nothing of a key that was never stored, and deletes it without an error', async () => {
      const { store, key } = await fresh();
      expect(await store.get(key)).toBeNull();
      expect(await store.get(key, { start: 0, end: 5 })).toBeNull();
      expect(await store.stat(key)).toBeNull();
      await store.delete(key);
    });

    test('stores an empty object', async () => {
      const { store, key } = await fresh();
      const stored = await store.put(key, new Uint8Array());
      expect(stored).toEqual({ key, size: 0, sha256: sha256Of(Buffer.alloc(0)) });
      expect(await read(store, key)).toHaveLength(0);
      expect(await read(store, key, { start: 0, end: 10 })).toHaveLength(0);
      expect((await store.stat(key))!.size).toBe(0);
    });

    test('stores a large object under a name that its hash gives', async () => {
      const { store, key } = await fresh();
      const bytes = pattern(LARGE);
      const stored = await store.put((sha256) => `${key}/${sha256}`, inChunks(bytes, 1_000_003));
      expect(stored).toEqual({ key: `${key}/${sha256Of(bytes)}`, size: LARGE, sha256: sha256Of(bytes) });
      expect((await read(store, stored.key))!.equals(bytes)).toBe(true);
      expect(await keysOf(store, key)).toEqual([stored.key]);
      await store.delete(stored.key);
    });

    test('stores a small object under a name that its hash gives', async () => {
      const { store, key } = await fresh();
      const stored = await store.put((sha256) => `${key}/${sha256}`, Buffer.from('small'));
      expect(stored.key).toBe(`${key}/${sha256Of(Buffer.from('small'))}`);
      expect(await keysOf(store, key)).toEqual([stored.key]);
    });

    test('replaces an object as a whole', async () => {
      const { store, key } = await fresh();
      await store.put(key, Buffer.from('the longer text'));
      const open = (await store.get(key))!;
      await store.put(key, Buffer.from('short'));
      expect((await read(store, key))!.toString()).toBe('short');
      expect((await buffer(open.body)).toString()).toBe('the longer text');
    });

    test.each<[string, ByteRange, number, number]>([
      ['the first byte', { start: 0, end: 1 }, 0, 1],
      ['some in the middle', { start: 500, end: 900 }, 500, 900],
      ['from a byte on', { start: 990 }, 990, 1000],
      ['beyond the end', { start: 900, end: 5000 }, 900, 1000],
      ['from the end on', { start: 1000 }, 1000, 1000],
      ['wholly beyond the end', { start: 1001, end: 2000 }, 1000, 1000],
      ['nothing', { start: 5, end: 5 }, 5, 5],
    ])('reads a range: %s', async (_, range, from, to) => {
      const { store, key } = await fresh();
      const bytes = pattern(1000);
      const growing = `${key}.growing`;
      await store.put(key, bytes);
      for (let at = 0; at < 1000; at += 300) await store.append(growing, at, bytes.subarray(at, at + 300));
      for (const one of [key, growing]) {
        const found = (await store.get(one, range))!;
        expect(found.size).toBe(1000);
        expect((await buffer(found.body)).equals(bytes.subarray(from, to))).toBe(true);
      }
    });

    test('keeps nothing of a body that fails, small or large', async () => {
      const { store, key } = await fresh();
      for (const size of [10, LARGE]) {
        const cut = async function* () {
          yield* inChunks(pattern(size), 1_000_000);
          throw new Error('the caller left');
        };
        await expect(store.put(key, cut())).rejects.toThrow('the caller left');
        await expect(store.put((sha256) => `${key}/${sha256}`, cut())).rejects.toThrow('the caller left');
      }
      expect(await store.get(key)).toBeNull();
      expect(await keysOf(store, key)).toEqual([]);
    });

    test('keeps the earlier object where the body of the next fails', async () => {
      const { store, key } = await fresh();
      await store.put(key, Buffer.from('first'));
      const cut = Readable.from([Buffer.from('sec')]);
      cut.destroy(new Error('the caller left'));
      await expect(store.put(key, cut)).rejects.toThrow('the caller left');
      expect((await read(store, key))!.toString()).toBe('first');
    });

    test('refuses a body beyond its limit, and takes one at it', async () => {
      const { store, key } = await fresh();
      const bytes = pattern(1000);
      await expect(store.put(key, inChunks(bytes, 300), { maxBytes: 999 })).rejects.toThrow(
        ObjectTooLargeError,
      );
      expect(await store.stat(key)).toBeNull();
      expect((await store.put(key, inChunks(bytes, 300), { maxBytes: 1000 })).size).toBe(1000);
    });

    test('shows an object only once it is whole', async () => {
      const { store, key } = await fresh();
      let more!: () => void;
      const gate = new Promise<void>((resolve) => (more = resolve));
      const slow = async function* () {
        yield pattern(100);
        await gate;
        yield pattern(100);
      };
      const storing = store.put(key, slow());
      expect(await store.get(key)).toBeNull();
      expect(await keysOf(store, key)).toEqual([]);
      more();
      await storing;
      expect((await store.stat(key))!.size).toBe(200);
    });

    test('deletes an object, whole or growing', async () => {
      const { store, key } = await fresh();
      await store.put(key, Buffer.from('whole'));
      await store.append(`${key}.log`, 0, Buffer.from('one'));
      await store.append(`${key}.log`, 3, Buffer.from('two'));
      for (const one of [key, `${key}.log`]) {
        await store.delete(one);
        expect(await store.get(one)).toBeNull();
        expect(await store.stat(one)).toBeNull();
      }
      expect(await keysOf(store, key)).toEqual([]);
      expect(await store.append(`${key}.log`, 0, Buffer.from('again'))).toBe(5);
    });

    test('lists objects by the beginning of their keys, with their sizes', async () => {
      const { store, key } = await fresh();
      await store.put(`${key}/1`, Buffer.from('a'));
      await store.put(`${key}/2/x`, Buffer.from('bb'));
      await store.append(`${key}/2/log`, 0, Buffer.from('ccc'));
      await store.append(`${key}/2/log`, 3, Buffer.from('dddd'));
      await store.append(`${key}/2/next`, 0, Buffer.from('e'));
      const sizes = (await Array.fromAsync(store.list(key))).map((one) => [one.key, one.size]).sort();
      expect(sizes).toEqual([
        [`${key}/1`, 1],
        [`${key}/2/log`, 7],
        [`${key}/2/next`, 1],
        [`${key}/2/x`, 2],
      ]);
      expect(await keysOf(store, `${key}/2/`)).toHaveLength(3);
      expect(await keysOf(store, `${key}/3`)).toEqual([]);
    });

    test('grows by appends, and can be read meanwhile', async () => {
      const { store, key } = await fresh();
      expect(await store.append(key, 0, Buffer.from('line one\n'))).toBe(9);
      const early = (await store.get(key))!;
      expect(await store.append(key, 9, Buffer.from('line two\n'))).toBe(18);
      expect(early.size).toBe(9);
      expect((await buffer(early.body)).toString()).toBe('line one\n');
      expect((await read(store, key))!.toString()).toBe('line one\nline two\n');
      expect((await store.stat(key))!.size).toBe(18);
    });

    test('takes a repeated append without a change, and only the new part of one that overlaps', async () => {
      const { store, key } = await fresh();
      await store.append(key, 0, Buffer.from('abcdef'));
      expect(await store.append(key, 0, Buffer.from('abcdef'))).toBe(6);
      expect(await store.append(key, 2, Buffer.from('cd'))).toBe(6);
      expect(await store.append(key, 4, Buffer.from('efghi'))).toBe(9);
      expect(await store.append(key, 9, new Uint8Array())).toBe(9);
      expect((await read(store, key))!.toString()).toBe('abcdefghi');
    });

    test('refuses an append beyond the end, and says where the end is', async () => {
      const { store, key } = await fresh();
      await expect(store.append(key, 1, Buffer.from('b'))).rejects.toThrow(new ObjectGapError(0));
      expect(await store.stat(key)).toBeNull();
      await store.append(key, 0, Buffer.from('abc'));
      await expect(store.append(key, 5, Buffer.from('f'))).rejects.toMatchObject({ size: 3 });
      expect((await read(store, key))!.toString()).toBe('abc');
    });

    test('an append of nothing makes no object', async () => {
      const { store, key } = await fresh();
      expect(await store.append(key, 0, new Uint8Array())).toBe(0);
      expect(await store.stat(key)).toBeNull();
      expect(await store.append(key, 0, Buffer.from('a'))).toBe(1);
    });

    test('of the same append by several writers at once, one counts', async () => {
      const { store, key } = await fresh();
      for (let at = 0; at < 40; at += 10) {
        const bytes = pattern(12, at).subarray(0, 10);
        const sizes = await Promise.all([1, 2, 3].map(() => store.append(key, at, bytes)));
        expect(sizes).toEqual([at + 10, at + 10, at + 10]);
      }
      expect((await read(store, key))!).toHaveLength(40);
    });

    test('keeps finished objects when unfinished uploads are cleared', async () => {
      const { store, key } = await fresh();
      await store.put(key, Buffer.from('kept'));
      await store.append(`${key}.log`, 0, Buffer.from('kept too'));
      await store.clearUnfinished(new Date(Date.now() - 3_600_000));
      expect(await keysOf(store, key)).toEqual([key, `${key}.log`]);
    });

    test.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', 'a/.b', 'a b', 'a\0', 'ä', 'a/+1', 'x'.repeat(201)])(
      'refuses the key %j',
      async (key) => {
        const { store } = await fresh();
        const body = Buffer.from('x');
        await expect(store.put(key, body)).rejects.toThrow('not a key');
        await expect(store.append(key, 0, body)).rejects.toThrow('not a key');
        await expect(store.get(key)).rejects.toThrow('not a key');
        await expect(store.stat(key)).rejects.toThrow('not a key');
        await expect(store.delete(key)).rejects.toThrow('not a key');
      },
    );
  });
}
