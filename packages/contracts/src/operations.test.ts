import { expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from './operations.ts';

test('operation names are unique', () => {
  const ids = operations.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
});

// A date or a transform would change on its way between processes.
test('requests and answers of operations are plain JSON', () => {
  const isPlain = (schema: z.ZodType) => {
    try {
      return z.toJSONSchema(schema) !== undefined;
    } catch {
      return false;
    }
  };
  expect(isPlain(z.strictObject({ at: z.date() }))).toBe(false);
  expect(isPlain(z.string().transform(Number))).toBe(false);
  const odd = operations.filter(({ request, answer }) => !isPlain(request) || !isPlain(answer));
  expect(odd.map(({ id }) => id)).toEqual([]);
});
