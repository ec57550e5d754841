import { expect, test } from 'vitest';
import { similarity } from './similarity.ts';

test('the same is 1, nothing in common is 0, the closer the more', () => {
  expect(similarity('Team', 'team')).toBe(1);
  expect(similarity('abc', 'xyz')).toBe(0);
  expect(similarity('team', 'team one')).toBeGreaterThan(similarity('team', 'the other team of all'));
});
