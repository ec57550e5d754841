import { expect, test } from 'vitest';
import { directoryPlaceholders } from './placeholders.ts';

const forgetful = { get: () => undefined };

test('a placeholder is filled in although a change kept its value out of the cache', async () => {
  const group = { id: 4, fullPath: 'a/"b"', fullName: 'A / B' };
  const kinds = directoryPlaceholders({
    ...{ users: forgetful, namespaces: forgetful, projects: forgetful, externalUrl: 'http://localhost' },
    user: async () => undefined,
    project: async () => undefined,
    namespace: async (id) => (id === 4 ? (group as never) : undefined),
  });
  const path = kinds.find(({ kind }) => kind === 'n')!;
  expect(path.resolve('4')).toBeUndefined();
  expect([...(await path.load(['4', '5']))]).toEqual([
    ['4', 'a/\\"b\\"'],
    ['5', ''],
  ]);
});
