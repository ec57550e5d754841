import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob } from './glob.ts';

test.each<[string, string[], string[]]>([
  ['Dockerfile', ['Dockerfile'], ['docker/Dockerfile', 'Dockerfile2', 'dockerfile']],
  ['*.rb', ['a.rb', '.rb', '.a.rb'], ['lib/a.rb', 'a.rbx']],
  ['**/*.rb', ['a.rb', 'lib/a.rb', 'lib/x/y/a.rb', '.hidden/a.rb'], ['a.rb/x', 'a.py']],
  ['lib/**/*.rb', ['lib/a.rb', 'lib/x/a.rb'], ['a.rb', 'xlib/a.rb']],
  ['lib/**/*', ['lib/a', 'lib/x/y/z'], ['lib', 'xlib/a']],
  ['lib/**', ['lib/a'], ['lib/a/b']],
  ['docs/*', ['docs/a.md'], ['docs/x/a.md']],
  ['more_scripts/*.{rb,py,sh}', ['more_scripts/a.py'], ['more_scripts/a.js']],
  ['{a,b{c,d}}/x', ['a/x', 'bc/x', 'bd/x'], ['b/x', 'c/x']],
  ['file?.txt', ['file1.txt', 'fileé.txt'], ['file.txt', 'file/.txt']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '/x']],
  ['[!a-c]x', ['dx', '!x'], ['ax', '/x']],
  ['a\\*b', ['a*b'], ['axb']],
  ['a.b', ['a.b'], ['axb']],
  ['(a|b)+', ['(a|b)+'], ['a']],
  ['a/**/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab']],
  ['ünï/*', ['ünï/😀'], ['uni/x']],
])('%s', (text, matching, others) => {
  const glob = compileGlob(text)!;
  expect(matching.filter((path) => !glob.matches(path))).toEqual([]);
  expect(others.filter((path) => glob.matches(path))).toEqual([]);
});

test.each(['[a', '{a', 'x'.repeat(2000), '[]', '[a/b]'])('%s is none', (text) => {
  expect(compileGlob(text)).toBeNull();
});

test('says in which folder all matches lie', () => {
  expect(compileGlob('src/app/*.ts')).toMatchObject({ prefix: 'src/app/', isLiteral: false });
  expect(compileGlob('src/ap*/x.ts')).toMatchObject({ prefix: 'src/' });
  expect(compileGlob('*.ts')).toMatchObject({ prefix: '' });
  expect(compileGlob('src/a.ts')).toMatchObject({ prefix: 'src/a.ts', isLiteral: true });
});

test('a pattern of many stars ends at once', () => {
  expect(compileGlob(`${'*a'.repeat(400)}b`)!.matches('a'.repeat(4000))).toBe(false);
  expect(compileGlob(`${'**/'.repeat(300)}x`)!.matches('a/'.repeat(2000))).toBe(false);
});

test('any text is a pattern or none, and a text without special characters matches itself alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, path) => {
      const glob = compileGlob(text);
      if (glob && !/[*?[\]{}\\]/.test(text)) expect(glob.matches(path)).toBe(path === text);
      glob?.matches(path);
    }),
  );
});
