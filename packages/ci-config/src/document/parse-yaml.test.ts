import { describe, expect, test } from 'vitest';
import { Problems, Refusal } from '../problem.ts';
import type { Node } from './node.ts';
import { parseYaml } from './parse-yaml.ts';
import { SourceFile } from './source-file.ts';

const bounds = { depth: 100, expandedSize: 100_000 };
const parse = (text: string, problems = new Problems(10)) =>
  parseYaml(new SourceFile('ci.yml', text), bounds, problems);

function plain(node: Node): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  if (node.kind === 'reference') return `→ ${node.path.join('.')}`;
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, plain(value)]));
}

function refusalOf(text: string) {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof Refusal) return error.problem;
    throw error;
  }
  return null;
}

describe('scalars', () => {
  test.each([
    ['1', 1],
    ['-1', -1],
    ['1.10', 1.1],
    ['1e3', 1000],
    ['.5', 0.5],
    ['0x1f', 31],
    ['0b11', 3],
    ['1_000', 1000],
    ['0644', 420],
    ['-0644', -420],
    ['08', '08'],
    ['0.8', 0.8],
    ['1.2.3', '1.2.3'],
    ['+', '+'],
    ['1a', '1a'],
    ['yes', true],
    ['On', true],
    ['TRUE', true],
    ['off', false],
    ['No', false],
    ['y', 'y'],
    ['n', 'n'],
    ['~', null],
    ['null', null],
    ['""', ''],
    ['"yes"', 'yes'],
    ["'1'", '1'],
    ['!!str yes', 'yes'],
    ['!!int "5"', 5],
    ['2021-10-01', '2021-10-01'],
    ['10:20', '10:20'],
    ['|\n  a\n  b', 'a\nb\n'],
    ['>-\n  a\n  b', 'a b'],
  ])('%j is %j', (written, value) => {
    expect(plain(parse(`key: ${written}`))).toEqual({ key: value });
  });

  test('keep how they are written', () => {
    const root = parse('key: 1.10');
    expect(root.kind === 'map' && root.entries.get('key')?.value).toMatchObject({ source: '1.10' });
  });
});

test('nothing at all is null', () => {
  expect(plain(parse(''))).toBeNull();
  expect(plain(parse('# only a comment\n'))).toBeNull();
});

test('keys are texts, whatever they look like', () => {
  const root = parse('1: a\nyes: b\n__proto__: c\nconstructor: d');
  expect(root.kind === 'map' && [...root.entries.keys()]).toEqual(['1', 'yes', '__proto__', 'constructor']);
});

describe('merge keys', () => {
  const base = '.a: &a {x: 1, y: 2}\n.b: &b {y: 3, z: 4}\n';
  const job = (text: string) => (plain(parse(`${base}job: ${text}`)) as { job: unknown }).job;

  test('what stands below a merge replaces what it brings', () => {
    expect(job('{<<: *a, x: 9}')).toEqual({ x: 9, y: 2 });
  });

  test('a merge replaces what stands above it', () => {
    expect(job('{x: 9, <<: *a}')).toEqual({ x: 1, y: 2 });
  });

  test('of several the first counts most', () => {
    expect(job('{<<: [*a, *b]}')).toEqual({ x: 1, y: 2, z: 4 });
    expect(job('{<<: *a, <<: *b}')).toEqual({ x: 1, y: 3, z: 4 });
  });

  test('a quoted one is a key', () => {
    expect(job('{"<<": 1}')).toEqual({ '<<': 1 });
  });

  test('anything but a mapping is refused', () => {
    expect(refusalOf('a: {<<: text}')).toMatchObject({
      message: expect.stringContaining('merges mappings only'),
      line: 1,
    });
  });
});

test('a key that is written twice is warned of, and the last counts', () => {
  const problems = new Problems(10);
  expect(plain(parse('a: 1\nb: 2\na: 3', problems))).toEqual({ a: 3, b: 2 });
  expect(problems.warnings).toEqual([
    expect.objectContaining({
      message: 'the key a is written twice; what line 1 says of it does not count',
      line: 3,
    }),
  ]);
});

test('!reference becomes a node of its own', () => {
  expect(plain(parse('a: !reference [.b, script]\nc:\n  - !reference\n    - d'))).toEqual({
    a: '→ .b.script',
    c: ['→ d'],
  });
});

test.each([
  ['an unknown tag', 'a: 1\nb: !vault x', 'Unknown tag !vault', 2],
  ['a tag on a mapping', 'a: !!set {x}', 'Unknown tag set', 1],
  ['an empty reference', 'a: !reference []', '!reference is not valid', 1],
  ['a reference to a list', 'a: !reference [[b]]', '!reference is not valid', 1],
  ['a second document', 'a: 1\n---\nb: 2', 'a second begins', 2],
  ['a list as a key', '? [a]\n: b', 'a key of a mapping is a text', 1],
  ['an unknown alias', 'a: b\nc: *d', 'unknown alias: d', 2],
  ['an anchor in itself', 'a: &a [*a]', 'unknown alias: a', 1],
  ['a list without an end', 'a: [1', 'Invalid configuration format', 1],
  ['a tab as indentation', 'a:\n\tb: 1', 'Invalid configuration format', 2],
])('%s is refused with its line', (_name, text, message, line) => {
  expect(refusalOf(text)).toMatchObject({ message: expect.stringContaining(message), line, file: 'ci.yml' });
});

describe('bombs', () => {
  test('aliases of aliases share their nodes, and are refused for what they stand for', () => {
    const levels = Array.from({ length: 30 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}]`);
    expect(refusalOf(`l0: &l0 text\n${levels.join('\n')}`)?.message).toContain('too big');
  });

  test('merges of one large mapping again and again', () => {
    const large = Array.from({ length: 2000 }, (_, at) => `k${at}: `).join(',');
    expect(refusalOf(`.a: &a {${large}}\njobs:\n${'- <<: *a\n'.repeat(2000)}`)?.message).toContain('too big');
  });

  test.each(['['.repeat(100_000), '- '.repeat(100_000), '{a: '.repeat(50_000), '? '.repeat(100_000)])(
    'depth',
    (text) => {
      expect(refusalOf(text)?.message).toContain('levels deep');
    },
  );
});
