import { expect, test } from 'vitest';
import { withSingleSlashes } from './request-address.ts';

test.each([
  ['//api/v4/projects', '/api/v4/projects'],
  ['/api/v4//projects///1//', '/api/v4/projects/1/'],
  ['//', '/'],
  ['/api/v4//projects?redirect=https://a//b', '/api/v4/projects?redirect=https://a//b'],
])('%s is %s', (url, expected) => {
  expect(withSingleSlashes(url)).toBe(expected);
});

test.each([
  '/',
  '/api/v4/projects/a%2F%2Fb/issues',
  '/api/v4/projects/a%2f/b',
  '/x?next=//evil.example',
  '/x?a=https://b',
  '*',
])('%s stays', (url) => {
  expect(withSingleSlashes(url)).toBe(url);
});

test('a path of slashes alone takes linear time', () => {
  expect(withSingleSlashes(`${'/'.repeat(65_000)}x`)).toBe('/x');
});
