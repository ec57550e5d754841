import { expect, test } from 'vitest';
import { readSplitConfiguration, replicaName } from './split-configuration.ts';

const SECRET_KEY = 'the secret key of the tests, long enough';
const TWO = 'default=http://one:1,second=http://two:2';
const repo = (environment: Record<string, string>) =>
  readSplitConfiguration('repo', { SECRET_KEY, ...environment });

test('an instance of repo has the read models of its own storage', () => {
  const only = repo({});
  expect([only.STORAGE, replicaName('repo', only)]).toEqual(['default', 'repo_0']);
  const second = repo({ REPO_URL: TWO, STORAGE: 'second' });
  expect([...second.REPO_URL.keys()]).toEqual(['default', 'second']);
  expect(replicaName('repo', second)).toBe('repo_second_0');
  expect(replicaName('tracker', second)).toBe('tracker_0');
});

test.each([
  [{ REPO_URL: TWO, STORAGE: 'third' }, 'STORAGE: third is not in REPO_URL (default, second)'],
  [{ STORAGE: 'second' }, 'STORAGE: second is not in REPO_URL (default)'],
  [{ REPO_URL: `${TWO},second=http://three:3` }, 'REPO_URL: the storage second is named twice'],
  [{ REPO_URL: 'http://one:1,http://two:2' }, 'REPO_URL: the storage default is named twice'],
  [{ REPO_URL: 'default=http://one:1,Second=http://two:2' }, 'REPO_URL: Second is not a name of a storage'],
  [{ REPO_URL: 'default=http://one:1,second=two' }, 'REPO_URL: second=two is not an address'],
  [{ REPO_URL: 'second=http://two:2' }, 'REPO_URL: the storage default has no address'],
  [{ REPLICA: '1' }, 'REPLICA: must be 0 in repo'],
])('%j is refused with a clear message', (environment, words) => {
  expect(() => repo(environment as Record<string, string>)).toThrow(words);
});

test('other services ignore the settings of repo', () => {
  const read = readSplitConfiguration('tracker', { SECRET_KEY, STORAGE: 'third', REPLICA: '1' });
  expect(read.REPLICA).toBe(1);
});
