import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { openMemoryObjectStore } from '@forgelog/object-store/adapters/memory-object-store.ts';
import type { ByteRange, ObjectStore } from '@forgelog/object-store/object-store.ts';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { findInArchive, UnreadableArchiveError } from './archive-file.ts';

/** Counts the bytes that are asked for. */
function counted(objects: ObjectStore) {
  let bytes = 0;
  let requests = 0;
  return {
    read: () => ({ bytes, requests }),
    objects: {
      ...objects,
      async get(key: string, range?: ByteRange) {
        requests += 1;
        bytes += range!.end! - range!.start;
        return objects.get(key, range);
      },
    },
  };
}

async function stored(fill: (zip: ZipFile) => void) {
  const zip = new ZipFile();
  fill(zip);
  zip.end();
  const objects = openMemoryObjectStore();
  const { key, size } = await objects.put('a/zip', await buffer(zip.outputStream));
  return { objects, archive: { key, size } };
}

const opened = async (found: Awaited<ReturnType<typeof findInArchive>>) => text(await found!.open());

test('finds files by their whole name, packed or not', async () => {
  const { objects, archive } = await stored((zip) => {
    zip.addBuffer(Buffer.from('one'), 'out/one.txt');
    zip.addBuffer(Buffer.from('two'.repeat(1000)), 'out/ü two.txt', { compress: true });
    zip.addBuffer(Buffer.from('stored'), 'stored', { compress: false });
    zip.addEmptyDirectory('empty');
  });
  expect(await opened(await findInArchive(objects, archive, 'out/one.txt'))).toBe('one');
  const two = await findInArchive(objects, archive, 'out/ü two.txt');
  expect(two!.size).toBe(3000);
  expect(await opened(two)).toBe('two'.repeat(1000));
  expect(await opened(await findInArchive(objects, archive, 'stored'))).toBe('stored');
  for (const missing of ['out', 'out/', 'one.txt', 'OUT/one.txt', 'out/one.txt/', '', 'nothing'])
    expect(await findInArchive(objects, archive, missing)).toBeNull();
});

test('reads the directory and that file, nothing more', async () => {
  const noise = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => (at * 7919) & 255));
  const { objects, archive } = await stored((zip) => {
    for (let at = 0; at < 30; at += 1) zip.addBuffer(noise, `big/${at}`, { compress: false });
    zip.addBuffer(Buffer.from('small'), 'small', { compress: false });
  });
  expect(archive.size).toBeGreaterThan(30_000_000);
  const { objects: watched, read } = counted(objects);
  expect(await opened(await findInArchive(watched, archive, 'small'))).toBe('small');
  expect(read().bytes).toBeLessThan(700_000);
  expect(read().requests).toBeLessThan(8);
});

test('a directory of thousands of files takes few requests', async () => {
  const { objects, archive } = await stored((zip) => {
    for (let at = 0; at < 5000; at += 1)
      zip.addBuffer(Buffer.from('x'), `folder/of/files/${at}`, { compress: false });
  });
  const { objects: watched, read } = counted(objects);
  expect(await opened(await findInArchive(watched, archive, 'folder/of/files/4999'))).toBe('x');
  expect(read().requests).toBeLessThan(10);
});

test('hostile names beside a file do not hide it, and name themselves only', async () => {
  const { objects, archive } = await stored((zip) => {
    zip.addBuffer(Buffer.from('evil'), 'XX/XX/etc/passwd');
    zip.addBuffer(Buffer.from('good'), 'good');
  });
  const bytes = await buffer((await objects.get(archive.key))!.body);
  for (let at = bytes.indexOf('XX/XX'); at >= 0; at = bytes.indexOf('XX/XX')) bytes.write('../..', at);
  await objects.put(archive.key, bytes);
  expect(await opened(await findInArchive(objects, archive, 'good'))).toBe('good');
  expect(await findInArchive(objects, archive, 'etc/passwd')).toBeNull();
});

test('a symbolic link is no file', async () => {
  const { objects, archive } = await stored((zip) => {
    zip.addBuffer(Buffer.from('/etc/passwd'), 'link', { mode: 0o120777 });
  });
  expect(await findInArchive(objects, archive, 'link')).toBeNull();
});

test('what is no archive, or half of one, cannot be read', async () => {
  const { objects, archive } = await stored((zip) => zip.addBuffer(Buffer.from('text'), 'file'));
  const bytes = await buffer((await objects.get(archive.key))!.body);
  for (const broken of [
    Buffer.from('no archive'),
    Buffer.alloc(0),
    bytes.subarray(0, bytes.length - 30),
    Buffer.concat([Buffer.alloc(50), bytes.subarray(-60)]),
  ]) {
    await objects.put(archive.key, broken);
    await expect(findInArchive(objects, { key: archive.key, size: broken.length }, 'file')).rejects.toThrow(
      UnreadableArchiveError,
    );
  }
});

test('a file that is larger than its directory says breaks off', async () => {
  const { objects, archive } = await stored((zip) => zip.addBuffer(Buffer.alloc(100_000), 'bomb'));
  const bytes = await buffer((await objects.get(archive.key))!.body);
  const inDirectory = bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  bytes.writeUInt32LE(10, inDirectory + 24);
  await objects.put(archive.key, bytes);
  const found = await findInArchive(objects, archive, 'bomb');
  expect(found!.size).toBe(10);
  const stream = await found!.open();
  stream.resume();
  const [error] = await once(stream, 'error');
  expect(String(error)).toMatch(/too many bytes/);
});

test('an archive that is gone from the store is no broken archive', async () => {
  const objects = openMemoryObjectStore();
  await expect(findInArchive(objects, { key: 'a/gone', size: 100 }, 'file')).rejects.toThrow('is missing');
});
