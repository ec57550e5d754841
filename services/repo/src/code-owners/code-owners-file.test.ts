import { expect, test } from 'vitest';
import { ownedBy, parseCodeOwners } from './code-owners-file.ts';

const FILE = `
# Everything, unless a later line says otherwise
* @default
*.rb @ruby ada@example.org @ruby
/secret/ @security
/secret/open.txt
path\\ with\\ spaces/ @space # @not

[Documentation][2] @docs
docs/
README.md @writer

^[Database]
/db/ @dba
/db/none/

[DOCUMENTATION]
*.md @more
`;

const ownersOf = (path: string) =>
  parseCodeOwners(FILE).flatMap((section) => {
    const line = ownedBy(section, path.split('/'));
    return line ? [`${section.name ?? ''}: ${line.pattern} ${line.owners.join(' ')}`] : [];
  });

test('in each section, the last line that covers a path has its owners', () => {
  expect(ownersOf('a.txt')).toEqual([': * @default']);
  expect(ownersOf('lib/a.rb')).toEqual([': *.rb @ruby ada@example.org']);
  expect(ownersOf('secret/a.rb')).toEqual([': /secret/ @security']);
  expect(ownersOf('secret/open.txt')).toEqual([]);
  expect(ownersOf('docs/a.txt')).toEqual([': * @default', 'Documentation: docs/ @docs']);
  expect(ownersOf('README.md')).toEqual([': * @default', 'Documentation: *.md @more']);
  expect(ownersOf('db/a.sql')).toEqual([': * @default', 'Database: /db/ @dba']);
  expect(ownersOf('db/none/a')).toEqual([': * @default']);
});

test('a heading says how many approvals its lines need, and whether they only suggest', () => {
  expect(
    parseCodeOwners(FILE).map(({ name, isOptional, approvals }) => [name, isOptional, approvals]),
  ).toEqual([
    [null, false, 1],
    ['Documentation', false, 2],
    ['Database', true, 1],
  ]);
  const [zero] = parseCodeOwners('[Zero][0] @a\n*');
  expect(zero).toMatchObject({ approvals: 1, patterns: [{ owners: ['@a'] }] });
  const [many] = parseCodeOwners('[Many][999999999]\n* @a');
  expect(many).toMatchObject({ approvals: 100 });
});

test('what is no heading is a pattern, and a file without lines has no sections', () => {
  expect(parseCodeOwners('[a-z].txt @a')).toMatchObject([
    { name: null, patterns: [{ pattern: '[a-z].txt' }] },
  ]);
  expect(parseCodeOwners('')).toEqual([]);
  expect(parseCodeOwners('[Empty]\r\n# nothing\r\n')).toEqual([]);
  expect(parseCodeOwners('a @b\r\n')).toMatchObject([{ patterns: [{ pattern: 'a', owners: ['@b'] }] }]);
});

test('lines after the first 10,000 are left out', () => {
  const [section] = parseCodeOwners('a @b\n'.repeat(10_001));
  expect(section!.patterns).toHaveLength(10_000);
});
