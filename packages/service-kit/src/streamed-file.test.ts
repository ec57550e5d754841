import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { openMemoryObjectStore } from '@forgelog/object-store/adapters/memory-object-store.ts';
import { expect, test } from 'vitest';
import type { Message } from './content-encoding.ts';
import { type ArrivingFile, receiveFile } from './streamed-file.ts';

const BOUNDARY = 'x-boundary';
const part = (disposition: string, text: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
const FILE = part('name="file"; filename="../a b.zip"', 'content');
const END = `--${BOUNDARY}--\r\n`;

function message(text: string, headers: Record<string, string> = {}): Message {
  const chunks = text.match(/[\s\S]{1,7}/g) ?? [];
  const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    headers: { ...type, ...headers },
  });
}

const limits = { name: 'file', maxBytes: 100 };
const whole = async ({ filename, stream }: ArrivingFile) => ({
  filename,
  text: (await buffer(stream)).toString(),
});

test('hands on the file of the field, whatever comes beside it', async () => {
  const others = part('name="token"', 'abc') + part('name="other"; filename="b"', 'no');
  const received = await receiveFile(message(others + FILE + others + END), limits, whole);
  expect(received).toEqual({ filename: 'a b.zip', text: 'content' });
});

test('tells the other fields once the form has ended, and tells none of a form that breaks off', async () => {
  const before = part('name="token"', 'abc');
  const after = part('name="format"', 'zip');
  const take = async ({ stream, fields }: ArrivingFile) => {
    await buffer(stream);
    return { ...(await fields) };
  };
  const fields = await receiveFile(message(before + FILE + after + END), limits, take);
  expect(fields).toEqual({ token: 'abc', format: 'zip' });
  await expect(receiveFile(message(before + FILE + after), limits, take)).rejects.toMatchObject({
    status: 400,
  });
});

test.each([
  ['no file', part('name="token"', 'abc') + END, 400, 'file is missing'],
  ['a field instead of a file', part('name="file"', 'abc') + END, 400, 'file is missing'],
  ['an end that is cut off', FILE, 400, 'The request body'],
  [
    'another file that is cut off',
    part('name="other"; filename="b"', 'text').slice(0, -5),
    400,
    'The request body',
  ],
  ['a file that is cut off', FILE.slice(0, -5), 400, 'The request body'],
  ['no form at all', 'what is this', 400, 'The request body'],
  ['too many parts', part('name="a"', 'b').repeat(30) + FILE + END, 400, 'too many parts'],
])('refuses %s', async (_, text, status, says) => {
  const refused = await receiveFile(message(text), limits, whole).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status });
  expect(JSON.stringify((refused as { body: object }).body)).toContain(says);
});

test('refuses other types of content, and a form without a boundary', async () => {
  const json = message('{}', { 'content-type': 'application/json' });
  await expect(receiveFile(json, limits, whole)).rejects.toMatchObject({ status: 415 });
  const bare = message(FILE + END, { 'content-type': 'multipart/form-data' });
  await expect(receiveFile(bare, limits, whole)).rejects.toMatchObject({ status: 400 });
});

test('a file that is too large is refused and not stored, announced or not', async () => {
  const objects = openMemoryObjectStore();
  const large = part('name="file"; filename="a"', 'x'.repeat(101)) + END;
  const store = ({ stream }: ArrivingFile) => objects.put('a/1', stream, { maxBytes: 100 });
  for (const headers of [undefined, { 'content-length': '70000' }])
    await expect(receiveFile(message(large, headers), limits, store)).rejects.toMatchObject({ status: 413 });
  expect(await objects.stat('a/1')).toBeNull();
});

test('nothing is stored of a body that breaks off', async () => {
  const objects = openMemoryObjectStore();
  const cut = async function* () {
    yield Buffer.from(FILE.slice(0, -4));
    throw new Error('the connection is lost');
  };
  const request = Object.assign(Readable.from(cut()), {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  const store = ({ stream }: ArrivingFile) => objects.put('a/1', stream);
  await expect(receiveFile(request, limits, store)).rejects.toThrow();
  expect(await objects.stat('a/1')).toBeNull();
});
