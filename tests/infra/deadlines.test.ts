import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEADLINES } from '@forgelog/service-kit/deadlines.ts';
import { expect, test } from 'vitest';

/** The row of docs/operations.md in which each stands. */
const ROWS: Record<keyof typeof DEADLINES, string> = {
  logMs: 'a call of the log',
  answerMs: 'a request for its answer',
  stopMs: 'SIGTERM',
  restartMs: 'calls of a service that restarts',
};

test('the deadlines are those that docs/operations.md tells', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const rows = new Map(
    text
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split(' | ').map((cell) => cell.replace('| ', '').trim()) as [string, string]),
  );
  for (const [name, row] of Object.entries(ROWS))
    expect(rows.get(row), row).toContain(`${DEADLINES[name as keyof typeof DEADLINES] / 1000} s`);
});
