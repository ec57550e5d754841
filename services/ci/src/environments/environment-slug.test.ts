import { expect, test } from 'vitest';
import { environmentSlug } from './environment-slug.ts';

test('a name that is a slug stays unchanged', () => {
  expect(environmentSlug('staging')).toBe('staging');
  expect(environmentSlug('a-b-1')).toBe('a-b-1');
  expect(environmentSlug('a'.repeat(24))).toBe('a'.repeat(24));
  expect(environmentSlug('staging-')).toBe('staging');
});

test.each([
  ['Production', /^production-[0-9a-z]{6}$/],
  ['review/feature-1', /^review-feature-1-[0-9a-z]{6}$/],
  ['1-2-3', /^env-1-2-3-[0-9a-z]{6}$/],
  ['a//b', /^a-b-[0-9a-z]{6}$/],
  ['.', /^env-[0-9a-z]{6}$/],
  ['a'.repeat(25), /^a{17}-[0-9a-z]{6}$/],
  ['review/a-very-long-branch-name', /^review-a-very-lon-[0-9a-z]{6}$/],
])('%s becomes a slug', (name, slug) => {
  expect(environmentSlug(name)).toMatch(slug);
  expect(environmentSlug(name).length).toBeLessThanOrEqual(24);
});

test('names that read the same have different, stable slugs', () => {
  expect(environmentSlug('a_b')).not.toBe(environmentSlug('a/b'));
  expect(environmentSlug('a_b')).toBe(environmentSlug('a_b'));
});
