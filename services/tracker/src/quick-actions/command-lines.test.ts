import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitCommands } from './command-lines.ts';

const NAMES = new Set(['close', 'label']);
const ENDINGS = new Map([['shrug', '(shrug)']]);
const split = (text: string) => splitCommands(text, NAMES, ENDINGS);

describe('a line that begins with the name of a command', () => {
  test('is taken out, with what follows it', () => {
    expect(split('Done.\n\n/close\n/LABEL  ~bug ~"a b" \r\n')).toEqual({
      text: 'Done.',
      commands: [
        { name: 'close', argument: '' },
        { name: 'label', argument: '~bug ~"a b"' },
      ],
    });
  });

  test.each([
    ['an unknown word', '/nothing here'],
    ['a longer word', '/closed'],
    ['a path', '/close/it'],
    ['a line that begins with a blank', ' /close'],
    ['the middle of a line', 'Then /close'],
    ['a quotation', '> /close'],
    ['code', '```\n/close\n```'],
    ['code that ends with the text', '~~~\n/close'],
    ['longer fences', '````\n```\n/close\n````'],
    ['a long quotation', '>>>\n/close\n>>>'],
    ['a comment', '<!--\n/close\n-->'],
    ['HTML', '<details>\n/close\n</details>'],
  ])('stays text in %s', (_, text) => {
    expect(split(text)).toEqual({ text, commands: [] });
  });

  test.each([
    ['a fence', '```\ncode\n```\n/close'],
    ['a quotation', '>>>\nsaid\n>>>\n/close'],
    ['a quotation that never ends', '>>>\n/close'],
    ['a tag that never ends', '<details>\n/close'],
    ['a tag that ends in its line', '<b>x</b>\n/close'],
  ])('is one after %s', (_, text) => {
    expect(split(text).commands).toHaveLength(1);
  });

  test('may stand for an ending', () => {
    expect(split('/shrug\nWell\n/shrug who knows')).toEqual({
      text: '(shrug)\nWell\nwho knows (shrug)',
      commands: [],
    });
  });
});

const lines = fc.array(
  fc.oneof(
    fc.string(),
    fc.constantFrom('/close', '/label x', '```', '~~~', '>>>', '<a>', '</a>', '<!--', '-->', '/shrug', ''),
  ),
  { maxLength: 40 },
);

test('a text without its commands has none, whatever it is', () => {
  fc.assert(
    fc.property(lines, (parts) => {
      const text = parts.join('\n');
      const first = split(text);
      const left = first.text.split('\n').map((line) => line.trim());
      for (const line of text.split('\n'))
        if (line.trim() !== '' && !/^\/(?:close|label|shrug)(?!\S)/i.test(line))
          expect(left).toContain(line.trim());
      if (first.commands.length === 0 && !text.toLowerCase().includes('/shrug'))
        expect(first.text).toBe(text);
    }),
  );
});

test('a text of nothing but commands is read line by line, however long it is', () => {
  const { text, commands } = split('/label ~bug\n'.repeat(100_000));
  expect([text, commands.length]).toEqual(['', 100_000]);
  const blanks = ' '.repeat(1_000_000);
  expect(split(`/label${blanks}x${blanks}y`).commands[0]!.argument).toHaveLength(1_000_002);
  expect(split(`<a>\n`.repeat(100_000)).commands).toEqual([]);
});
