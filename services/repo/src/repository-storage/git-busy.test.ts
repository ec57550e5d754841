import { GitBusyError, GitError, GitFailedError } from '@forgelog/git/errors.ts';
import { expect, test } from 'vitest';
import { unlessBusy } from './git-busy.ts';

const after = (error: Error) => unlessBusy(() => Promise.reject(error)).catch((thrown: unknown) => thrown);

test('git that is busy, or closed since the server stops, is a 503 that may be repeated', async () => {
  for (const [error, reason] of [
    [new GitBusyError(), 'git is busy'],
    [new GitError('closed', 'git is closed'), 'the server stops'],
  ] as const)
    expect(await after(error)).toMatchObject({
      ...{ status: 503, details: { reason }, headers: { 'Retry-After': '5' } },
    });
});

test('any other failure stays what it is', async () => {
  const failed = new GitFailedError('fetch', 128, 'fatal');
  expect(await after(failed)).toBe(failed);
});
