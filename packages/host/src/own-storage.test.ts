import { expect, test, vi } from 'vitest';
import { ownStorageOnly } from './own-storage.ts';

function given(storage: string | undefined) {
  const error = vi.fn();
  const grant = storage && { project: { id: 7, storage } };
  const authorizer = { project: async () => grant, group: async () => undefined };
  return {
    error,
    grant,
    ...ownStorageOnly(authorizer as never, { storage: 'default', log: { error } as never }),
  };
}

test('projects of the own storage and hidden projects pass unchanged', async () => {
  const own = given('default');
  expect(await own.project('7', null)).toBe(own.grant);
  expect(await given(undefined).project('7', null)).toBeUndefined();
  expect(own.error).not.toHaveBeenCalled();
});

test('a project of another storage is refused and logged', async () => {
  const foreign = given('second');
  await expect(foreign.project('7', null)).rejects.toMatchObject({ status: 503 });
  expect(foreign.error).toHaveBeenCalledWith(
    { projectId: 7, storage: 'second', own: 'default' },
    expect.stringContaining('REPO_URL'),
  );
});
