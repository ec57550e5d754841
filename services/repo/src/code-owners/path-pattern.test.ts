import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathPattern } from './path-pattern.ts';

const covers = (pattern: string, path: string) => pathPattern(pattern)(path.split('/'));

test('patterns cover paths as the files of other hosts have it', () => {
  const table: [pattern: string, covered: string[], others: string[]][] = [
    ['*', ['a', 'a/b', '.hidden', 'a/.b/c'], []],
    ['*.rb', ['a.rb', 'lib/a.rb', '.rb'], ['a.rbx', 'a.rb/b']],
    ['/*.rb', ['a.rb'], ['lib/a.rb']],
    ['docs', ['docs', 'a/docs'], ['docs/a', 'mydocs']],
    ['docs/', ['docs/a', 'docs/a/b', 'x/docs/a'], ['docs', 'mydocs/a']],
    ['/docs/', ['docs/a', 'docs/a/b'], ['x/docs/a']],
    ['/docs/*', ['docs/a'], ['docs/a/b', 'x/docs/a']],
    ['/docs/**/*.md', ['docs/a.md', 'docs/a/b/c.md'], ['a.md', 'docs/a.txt']],
    ['docs/**/index.md', ['docs/index.md', 'x/docs/a/b/index.md'], ['index.md']],
    ['/docs/**', ['docs/a', 'docs/a/b'], ['docs', 'a/docs/b']],
    ['/', ['a', 'a/b'], []],
    ['**', ['a', 'a/b'], []],
    ['/a/**/**/b', ['a/b', 'a/x/y/b'], ['a/x']],
    ['path\\ with\\ spaces/', ['path with spaces/a'], ['path/a']],
    ['\\#file', ['#file'], ['\\#file']],
    ['a?c', ['abc', 'aéc'], ['ac', 'abbc']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '[a-c]x']],
    ['[!a]x', ['bx'], ['ax']],
    ['[a', ['[a'], ['a']],
    ['a*b*c', ['abc', 'axxbxxc'], ['acb']],
  ];
  for (const [pattern, covered, others] of table) {
    for (const path of covered) expect(covers(pattern, path), `${pattern} covers ${path}`).toBe(true);
    for (const path of others) expect(covers(pattern, path), `${pattern} covers ${path}`).toBe(false);
  }
});

test('a literal path covers itself, and wildcards in its place cover it too', () => {
  const segment = fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom('a', 'b', '.', '-') });
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), fc.nat(), (segments, at) => {
      const path = segments.join('/');
      expect(covers(`/${path}`, path)).toBe(true);
      const starred = segments.with(at % segments.length, '*').join('/');
      expect(covers(`/${starred}`, path)).toBe(true);
      expect(covers(`/**/${segments.at(-1)}`, path)).toBe(true);
      expect(covers(`/${path}`, `${path}/more`)).toBe(false);
    }),
  );
});

test('hostile patterns match in a bounded number of steps', () => {
  expect(covers(`/${'*a'.repeat(500)}b`, 'a'.repeat(2000))).toBe(false);
  expect(covers(`/${'**/a/'.repeat(200)}b`, `${'a/'.repeat(1000)}c`)).toBe(false);
});
