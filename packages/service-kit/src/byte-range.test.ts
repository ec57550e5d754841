import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { fileAnswer, requestedRange } from './byte-range.ts';

test.each([
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=2-5', { start: 2, end: 6 }],
  ['bytes=2-', { start: 2, end: 10 }],
  ['bytes=9-100', { start: 9, end: 10 }],
  ['bytes=-3', { start: 7, end: 10 }],
  ['bytes=-30', { start: 0, end: 10 }],
  ['bytes=10-', null],
  ['bytes=11-20', null],
  ['bytes=-0', null],
  ['bytes=5-2', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=', undefined],
  ['bytes=-', undefined],
  ['lines=0-1', undefined],
  ['bytes=0x1-2', undefined],
  [undefined, undefined],
])('of ten bytes, %s asks for %j', (range, expected) => {
  expect(requestedRange({ range }, { size: 10, etag: '"b"' })).toEqual(expected);
});

test('nothing can be asked of an empty file', () => {
  expect(requestedRange({ range: 'bytes=0-' }, { size: 0, etag: '"b"' })).toBeNull();
  expect(requestedRange({ range: 'bytes=-5' }, { size: 0, etag: '"b"' })).toBeNull();
});

test('a file that changed is answered whole', () => {
  const range = 'bytes=0-1';
  const file = { size: 10, etag: '"b"' };
  expect(requestedRange({ range, 'if-range': '"a"' }, file)).toBeUndefined();
  expect(requestedRange({ range, 'if-range': '"b"' }, file)).toEqual({ start: 0, end: 2 });
});

const text = '0123456789';
const asked = async (headers: Record<string, string>) => {
  const answer = await fileAnswer(headers, {
    ...{ size: 10, etag: '"b"', headers: { 'Content-Type': 'text/plain' } },
    open: async (range) => Readable.from([text.slice(range?.start, range?.end)]),
  });
  const body = answer.kind === 'stream' ? (await answer.stream.toArray()).join('') : '';
  return { status: (answer as { status: number }).status, headers: answer.headers, body };
};

test('a file is answered whole, with its type and its tag', async () => {
  const headers = {
    'Content-Type': 'text/plain',
    'Content-Length': 10,
    ETag: '"b"',
    'Accept-Ranges': 'bytes',
  };
  expect(await asked({})).toMatchObject({ status: 200, headers, body: text });
});

test('a part says where it lies', async () => {
  const headers = { 'Content-Range': 'bytes 2-5/10', 'Content-Length': 4 };
  expect(await asked({ range: 'bytes=2-5' })).toMatchObject({ status: 206, headers, body: '2345' });
});

test('a range beyond the end is answered by the size', async () => {
  const headers = { 'Content-Range': 'bytes */10' };
  expect(await asked({ range: 'bytes=10-' })).toMatchObject({ status: 416, headers, body: '' });
});

test('who has the file gets none', async () => {
  expect(await asked({ 'if-none-match': '"b"', range: 'bytes=2-5' })).toMatchObject({
    status: 304,
    body: '',
  });
});
