import { expect, test } from 'vitest';
import { sweptAt } from './overdue.ts';

const at = '2030-01-01T00:00:00.000Z';
const job = { status: 'created', kind: 'build', queuedAt: at, startedAt: at, timeoutSeconds: 600 };

test.each([
  [{ status: 'pending' }, '2030-01-02T00:00:00.000Z'],
  [{ status: 'running' }, '2030-01-01T00:11:00.000Z'],
  [{ status: 'running', kind: 'bridge' }, null],
  [{ status: 'scheduled', kind: 'bridge' }, '2031-01-01T00:00:00.000Z'],
  [{ status: 'success' }, null],
])('a job that is %j is looked at %s', (changes, when) => {
  expect(sweptAt({ ...job, ...changes }, '2031-01-01T00:00:00.000Z')).toBe(when);
});
