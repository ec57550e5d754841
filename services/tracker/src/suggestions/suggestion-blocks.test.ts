import { expect, test } from 'vitest';
import { MOST_BLOCKS, suggestionBlocks } from './suggestion-blocks.ts';

const FENCE = '```';
const fenced = (info: string, ...lines: string[]) => [`${FENCE}${info}`, ...lines, FENCE].join('\n');

test.each([
  ['suggestion', 0, 0],
  ['suggestion:-0+0', 0, 0],
  ['suggestion:-2+1', 2, 1],
  ['suggestion:-2', 2, 0],
  ['suggestion:+3', 0, 3],
  ['suggestion:-100+100', 100, 100],
  ['suggestion:-101+999999999', 100, 100],
  [' suggestion:-1+1 ', 1, 1],
])('%j replaces lines around that of the note', (info, above, below) => {
  expect(suggestionBlocks(fenced(info, 'new'))).toEqual([{ above, below, content: 'new\n' }]);
});

test.each([
  ...['', 'ruby', 'suggestions', 'suggestion:-1-1', 'suggestion:1', 'Suggestion', 'a suggestion'],
  ...['suggestion:+1-1', 'suggestion:-1+1x', `suggestion:-${'9'.repeat(20)}`],
])('%j is no suggestion', (info) => {
  expect(suggestionBlocks(fenced(info, 'new'))).toEqual([]);
});

test('several blocks of a text are found, also in lists and quotes, between other text', () => {
  const text = [
    'Either this:',
    fenced('suggestion:-1+0', 'a', '', '  b'),
    '- or that',
    '',
    '  ~~~suggestion',
    '  c',
    '  ~~~',
    '> ```suggestion',
    '> d',
    '> ```',
    'suggestion:-1+1 in words, and `suggestion` in code',
    '    ```suggestion',
    '    indented code',
    '    ```',
    fenced('ruby', 'suggestion'),
    '```suggestion',
    '```',
  ].join('\n');
  expect(suggestionBlocks(text)).toEqual([
    { above: 1, below: 0, content: 'a\n\n  b\n' },
    { above: 0, below: 0, content: 'c\n' },
    { above: 0, below: 0, content: 'd\n' },
    { above: 0, below: 0, content: '' },
  ]);
});

test('a longer fence holds shorter ones, and so does one of the other kind', () => {
  const inner = fenced('suggestion', 'inner');
  expect(suggestionBlocks(`\`\`\`\`suggestion\n${inner}\n\`\`\`\``)).toEqual([
    { above: 0, below: 0, content: `${inner}\n` },
  ]);
  expect(suggestionBlocks(`~~~suggestion\n${inner}\n~~~`)).toMatchObject([{ content: `${inner}\n` }]);
  expect(suggestionBlocks(`\`\`\`\`markdown\n${inner}\n\`\`\`\``)).toEqual([]);
});

test('a block without its end reaches to the end of the text', () => {
  expect(suggestionBlocks('```suggestion\na\nb')).toMatchObject([{ content: 'a\nb' }]);
});

test('lines of Windows are lines', () => {
  expect(suggestionBlocks('```suggestion:-0+1\r\na\r\nb\r\n```\r\n')).toEqual([
    { above: 0, below: 1, content: 'a\nb\n' },
  ]);
});

test('of very many blocks the first are taken, and a very long text has none', () => {
  const many = `${fenced('suggestion', 'x')}\n\n`.repeat(MOST_BLOCKS + 5);
  expect(suggestionBlocks(many)).toHaveLength(MOST_BLOCKS);
  expect(suggestionBlocks(`${fenced('suggestion', 'x')}\n${'y'.repeat(100_000)}`)).toEqual([]);
  expect(suggestionBlocks(`${'> '.repeat(20_000)}suggestion`)).toEqual([]);
});
