import { expect, test } from 'vitest';
import { hasOwnPath, pageAtPath, pagePath } from './wiki-page-path.ts';

test.each([
  ['Home', 'markdown', 'Home.md'],
  ['a/b/The-crank', 'org', 'a/b/The-crank.org'],
  // No page lies where another has a folder.
  ['Home.md/More', 'asciidoc', 'Home.md-/More.asciidoc'],
  ['Home.md-/More', 'rdoc', 'Home.md--/More.rdoc'],
  ['a.md', 'markdown', 'a.md.md'],
] as const)('the page %s of %s lies at %s, and no other does', (slug, format, path) => {
  expect(pagePath(slug, format)).toBe(path);
  expect(pageAtPath(path)).toEqual({ slug, format });
});

test.each(['Home', 'Home.markdown', 'Home.MD', '.md', 'a/.org', 'Home.md/More.md', 'crank.png'])(
  '%s is the path of no page',
  (path) => {
    expect(pageAtPath(path)).toBeUndefined();
  },
);

test('a slug that is too long for a path has a safe one', () => {
  const slug = `${'x'.repeat(252)}.md/a`;
  expect(hasOwnPath(slug)).toBe(false);
  expect(pagePath(slug, 'markdown')).toMatch(/^long-names\/[0-9a-f]{64}\.md$/);
  expect(hasOwnPath('a/b')).toBe(true);
});
