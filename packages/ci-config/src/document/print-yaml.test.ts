import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problems } from '../problem.ts';
import { listNode, mapNode, type Node, textNode } from './node.ts';
import { parseYaml } from './parse-yaml.ts';
import { printYaml } from './print-yaml.ts';
import { SourceFile } from './source-file.ts';

const place = { file: new SourceFile('ci.yml', ''), offset: 0 };

type Value = string | Value[] | Map<string, Value>;
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '1.10',
    '0644',
    '<<',
    'a: b',
    '- a',
    '# c',
    '!x',
    '&a',
    '*a',
    'a\nb\n',
    ' a ',
    '1e3',
    '%A',
    '@a',
    '"',
    "'",
  ),
);
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}));

function nodeOf(one: Value): Node {
  if (typeof one === 'string') return textNode(one, place);
  if (Array.isArray(one)) return listNode(one.map(nodeOf), place);
  return mapNode(new Map([...one].map(([key, part]) => [key, { value: nodeOf(part), key: place }])), place);
}

const plainOf = (node: Node): unknown => {
  if (node.kind === 'list') return node.items.map(plainOf);
  if (node.kind === 'map')
    return new Map([...node.entries].map(([key, { value: part }]) => [key, plainOf(part)]));
  return node.kind === 'scalar' ? node.value : node;
};

const again = (printed: string) =>
  parseYaml(new SourceFile('ci.yml', printed), { depth: 1000, expandedSize: 1e9 }, new Problems(10));

test('what is printed reads as the same texts, lists and mappings', () => {
  fc.assert(
    fc.property(value, (one) => {
      expect(plainOf(again(printYaml(nodeOf(one))))).toEqual(one);
    }),
    { numRuns: 500 },
  );
});

test('numbers, booleans and nothing are printed as they were written', () => {
  const written = 'a: 1.10\nb: yes\nc: 0644\nd:\ne: "1.10"\nf: "yes"\n';
  expect(printYaml(again(written))).toBe('---\na: 1.10\nb: yes\nc: 0644\nd: null\ne: "1.10"\nf: "yes"\n');
});
