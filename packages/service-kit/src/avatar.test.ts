import { buffer } from 'node:stream/consumers';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { UploadedFile } from '@forgelog/contracts/params.ts';
import { openMemoryObjectStore } from '@forgelog/object-store/adapters/memory-object-store.ts';
import { expect, test } from 'vitest';
import { avatarAnswer, avatarKey, avatarsOf, ownerOfKey, storeAvatar } from './avatar.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nimage', 'latin1');
const file = (content: Buffer) => new UploadedFile('me.html', 'text/html', content);
const owner = { kind: 'group', id: 7 } as const;
const open = () => openMemoryObjectStore({ clock: () => new Date() });

test('an avatar is stored under a name of its own, by the type of its bytes', async () => {
  const objects = open();
  const address = await storeAvatar(objects, owner, file(PNG));
  expect(address).toMatch(/^\/uploads\/-\/system\/group\/avatar\/7\/[0-9a-f]{32}\.png$/);
  const key = avatarKey(address!)!;
  expect(key.startsWith(avatarsOf(owner)) && key.startsWith(avatarsOf({ kind: 'group' }))).toBe(true);
  expect(ownerOfKey(key)).toBe(7);
  expect(await storeAvatar(objects, owner, file(PNG))).not.toBe(address);
  const answer = await avatarAnswer(objects, {}, address);
  if (answer.kind !== 'stream') throw new Error(answer.kind);
  expect(await buffer(answer.stream)).toEqual(PNG);
  expect(answer.headers).toMatchObject({ 'Content-Type': 'image/png', 'X-Content-Type-Options': 'nosniff' });
  const known = { 'if-none-match': String(answer.headers.ETag) };
  expect(await avatarAnswer(objects, known, address)).toMatchObject({ status: 304 });
});

test('what is no small raster image is refused, and stores nothing', async () => {
  const objects = open();
  for (const content of [
    Buffer.from('<svg onload="alert(1)">'),
    Buffer.alloc(0),
    Buffer.concat([PNG, Buffer.alloc(200 * 1024)]),
  ])
    await expect(storeAvatar(objects, owner, file(content))).rejects.toThrow(Rejection);
  expect(await Array.fromAsync(objects.list(''))).toEqual([]);
});

test('none given changes nothing, and null removes', async () => {
  expect(await storeAvatar(open(), owner, undefined)).toBeUndefined();
  expect(await storeAvatar(open(), owner, null)).toBeNull();
});

test('an address that is no avatar’s is not found', async () => {
  for (const address of [
    null,
    undefined,
    '',
    'https://elsewhere.example.org/a.png',
    '/uploads/-/system/user/avatar/1/../../x',
  ])
    await expect(avatarAnswer(open(), {}, address)).rejects.toMatchObject({ status: 404 });
});
