import { expect, test } from 'vitest';
import { similarity } from './similarity.ts';

test('equal texts score 1, unrelated ones 0, and closer ones more', () => {
  expect(similarity('Team', 'team')).toBe(1);
  expect(similarity('abc', 'xyz')).toBe(0);
  expect(similarity('team', 'team one')).toBeGreaterThan(similarity('team', 'the other team of all'));
});
