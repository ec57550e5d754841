import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createLineReader } from './line-reader.ts';

/** A reader of a stream that yields these chunks and ends. */
function readerOf(chunks: readonly string[]) {
  const stream = new PassThrough();
  const reader = createLineReader(stream);
  void (async () => {
    for (const chunk of chunks) {
      stream.write(chunk);
      await new Promise(setImmediate);
    }
    stream.end();
  })();
  return reader;
}

/** Every way to split a text into non-empty pieces. */
function* cuts(text: string): Generator<string[]> {
  for (let mask = 0; mask < 2 ** (text.length - 1); mask += 1) {
    const pieces: string[] = [];
    let from = 0;
    for (let to = 1; to <= text.length; to += 1) {
      if (to < text.length && !(mask & (1 << (to - 1)))) continue;
      pieces.push(text.slice(from, to));
      from = to;
    }
    yield pieces;
  }
}

test.each([
  ['aab', 'xaaabyaab', ['xa', 'y']],
  ['\n', 'a\n\nbc\n', ['a', '', 'bc']],
  ['abab', 'abaababab', ['aba', undefined]],
])('finds the mark %j in %j however it comes', async (mark, text, wanted) => {
  await Promise.all(
    [...cuts(text)].map(async (chunks) => {
      const reader = readerOf(chunks);
      for (const part of wanted)
        expect((await reader.until(Buffer.from(mark)))?.toString(), chunks.join('|')).toBe(part);
    }),
  );
});

test('stops at the end or at the limit, and returns the bytes so far', async () => {
  const ended = readerOf(['no ', 'mark']);
  expect(await ended.until(Buffer.from('!'))).toBeUndefined();
  expect(ended.ended()).toBe(true);
  expect(ended.taken().toString()).toBe('no mark');
  const long = readerOf(['12345', '67890', 'mark!']);
  expect(await long.until(Buffer.from('!'), 7)).toBeUndefined();
  expect(long.taken().toString()).toMatch(/^1234567890/);
});

test('a stream that broke off before it is read has ended', async () => {
  const stream = new PassThrough();
  stream.write('never read');
  stream.destroy();
  await new Promise(setImmediate);
  const reader = createLineReader(stream);
  expect(await reader.line()).toBeUndefined();
  expect(reader.ended()).toBe(true);
});
