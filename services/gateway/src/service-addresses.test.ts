import { createProject, getProject, listProjects } from '@forgelog/contracts/repo/projects/project.api.ts';
import { groupWikiAttachments } from '@forgelog/contracts/repo/wikis/wiki-attachment.api.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import { expect, test, vi } from 'vitest';
import { createServiceAddresses } from './service-addresses.ts';

const [ONE, TWO] = ['http://one', 'http://two'];

/** Addresses for a gateway that sees one project, with id 7, in `storage`. */
function given(storages: Record<string, string>, storage = 'default') {
  const error = vi.fn();
  const addresses = createServiceAddresses(
    {
      REPO_URL: new Map(Object.entries(storages)),
      TRACKER_URL: 'http://tracker',
      CI_URL: 'http://ci',
      ADMIN_URL: 'http://admin',
    },
    {
      authorizer: {
        project: async (id) => (id === '7' ? { project: { id: 7, storage } } : undefined) as never,
      },
      log: { error } as never,
    },
  );
  const ask = async (endpoint: Exchange['endpoint'], id?: string) =>
    (
      await addresses.endpoint('repo', {
        endpoint,
        pathParams: { id },
        principal: null,
      } as unknown as Exchange)
    ).urls;
  return { addresses, ask, error };
}

test("a project's request goes to the instance that holds its storage", async () => {
  const { ask, addresses } = given({ default: ONE, second: TWO }, 'second');
  for (let times = 0; times < 3; times++) expect(await ask(getProject, '7')).toEqual([TWO]);
  expect(addresses.repository({ id: 7, storage: 'default' })).toBe(ONE);
});

test('requests without a visible project go round-robin', async () => {
  const { ask } = given({ default: ONE, second: TWO }, 'second');
  expect(await ask(listProjects)).toEqual([ONE, TWO]);
  expect(await ask(getProject, '8')).toEqual([TWO, ONE]);
  expect(await ask(createProject)).toEqual([ONE, TWO]);
});

test('files of groups are with the first storage, whoever asks', async () => {
  const { ask } = given({ default: ONE, second: TWO });
  for (const endpoint of [groupWikiAttachments.create, groupWikiAttachments.get, groupWikiAttachments.get])
    expect(await ask(endpoint, '3')).toEqual([ONE]);
});

test('a storage without an address gives 503 with Retry-After, and only the log says why', async () => {
  const { ask, addresses, error } = given({ default: ONE, third: TWO }, 'second');
  const refusal = {
    status: 503,
    body: { message: '503 Service Unavailable - the storage of this repository cannot be reached' },
    headers: { 'Retry-After': '5' },
  };
  await expect(ask(getProject, '7')).rejects.toMatchObject(refusal);
  expect(() => addresses.repository({ id: 7, storage: 'second' })).toThrow(expect.objectContaining(refusal));
  expect(error).toHaveBeenCalledTimes(2);
  expect(error).toHaveBeenCalledWith(
    { projectId: 7, storage: 'second' },
    expect.stringContaining('REPO_URL'),
  );
});
