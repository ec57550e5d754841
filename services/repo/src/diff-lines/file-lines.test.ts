import { expect, test } from 'vitest';
import { linesOf, withEdits } from './file-lines.ts';

const edited = (content: string, ...edits: Parameters<typeof withEdits>[1]) =>
  withEdits(Buffer.from(content, 'latin1'), edits)?.toString('latin1');

test('lines have their ends', () => {
  const texts = (content: string) => linesOf(Buffer.from(content)).map(String);
  expect(texts('a\r\n\nb')).toEqual(['a\r\n', '\n', 'b']);
  expect(texts('a\n')).toEqual(['a\n']);
  expect(texts('')).toEqual([]);
});

test('lines are replaced, added and removed, each by its number before the edits', () => {
  const one = { from: 1, to: 1, content: 'A\nAA\n' };
  const two = { from: 3, to: 4, content: '' };
  expect(edited('a\nb\nc\nd\ne\n', one, two)).toBe('A\nAA\nb\ne\n');
  expect(edited('a\nb\n', { from: 2, to: 9, content: 'B\n' })).toBe('a\nB\n');
  expect(edited('a\nb\n', { from: 3, to: 3, content: 'c\n' })).toBeUndefined();
});

test('ends of lines stay as they are in the file, and so do bytes that are no text', () => {
  expect(edited('a\r\nb\r\n', { from: 1, to: 1, content: 'x\ny\n' })).toBe('x\r\ny\r\nb\r\n');
  expect(edited('a\nb', { from: 2, to: 2, content: 'B\n' })).toBe('a\nB');
  expect(edited('\xff\xfe\n\xe9', { from: 1, to: 1, content: 'A\n' })).toBe('A\n\xe9');
});
