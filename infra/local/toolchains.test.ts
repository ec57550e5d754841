import { expect, test } from 'vitest';
import { missingTools } from './toolchains.ts';

const shell = (script: string, atLeast: readonly [number, number]) => ({
  name: 'sh',
  args: ['-c', script],
  version: /version "(\d+)(?:\.(\d+))?/,
  atLeast,
});

test('reports why each tool is unusable', () => {
  const tools = [
    { ...shell('', [1, 0]), name: 'no-such-tool' },
    shell('echo nothing of use', [17, 0]),
    shell(`echo 'openjdk version "11.0.2"' >&2`, [17, 0]),
    shell(`echo 'version "1.24.9"'`, [1, 25]),
  ];
  expect(missingTools(tools)).toEqual([
    'no-such-tool 1 or newer (not found)',
    'sh 17 or newer (it does not tell its version)',
    'sh 17 or newer (this is 11.0)',
    'sh 1.25 or newer (this is 1.24)',
  ]);
});

test('accepts a new enough version from stdout or stderr', () => {
  const tools = [
    shell(`echo 'Picked up some options' >&2; echo 'openjdk version "17.0.15"' >&2`, [17, 0]),
    shell(`echo 'openjdk version "26-ea"' >&2`, [17, 0]),
    shell(`echo 'version "1.25.0"'`, [1, 25]),
    shell(`echo 'version "2.0"'`, [1, 25]),
  ];
  expect(missingTools(tools)).toEqual([]);
});
