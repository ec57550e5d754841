import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { programRevision } from './revision.ts';

const root = resolve(import.meta.dirname, '../../..');

test('an image names the revision it was built from', async () => {
  expect(await programRevision({ REVISION: '1a2b3c4' })).toBe('1a2b3c4');
});

test('a checkout names its commit; anything else is unknown', async () => {
  const isCheckout = existsSync(join(root, '.git'));
  const head = isCheckout && (await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout;
  const revision = await programRevision({ ...process.env, REVISION: '' });
  if (head) expect(head.startsWith(revision)).toBe(true);
  else expect(revision).toBe('unknown');
});

test('a hanging git is killed at its deadline', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-revision-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'git'), '#!/bin/sh\nexec sleep 300\n', { mode: 0o755 });
  const environment = { PATH: `${folder}:${process.env.PATH}` };
  expect(await programRevision(environment, 100)).toBe('unknown');
});
