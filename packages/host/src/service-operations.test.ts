import { listProjectsOfGroup } from '@forgelog/contracts/repo/projects/project.operations.ts';
import { listPaths } from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ServiceClient } from '@forgelog/service-kit/split/service-client.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { expect, test } from 'vitest';
import { serviceOperations } from './service-operations.ts';
import { readSplitConfiguration } from './split-configuration.ts';

const configuration = readSplitConfiguration('ci', {
  SECRET_KEY: 'k'.repeat(32),
  REPO_URL: 'default=http://one:1,second=http://two:2',
});
const storages: Readonly<Record<number, string>> = { 1: 'default', 2: 'second', 3: 'unplugged' };

/** Operations whose service never answers, and the addresses that were tried. */
function asking() {
  const tried: string[] = [];
  const client = {
    call: async ({ url }: { url: string }) => {
      tried.push(url);
      throw unavailable('nobody is there', 1);
    },
  };
  const directory = {
    project: async (id: number) => (storages[id] ? { id, storage: storages[id] } : undefined),
  };
  const operations = serviceOperations({
    client: client as unknown as ServiceClient,
    configuration,
    position: () => '',
    directory: directory as unknown as Pick<Directory, 'project'>,
  });
  return { tried, operations };
}

test.each([
  [1, ['http://one:1', 'http://one:1']],
  [2, ['http://two:2', 'http://two:2']],
  [3, []],
  [99, ['http://one:1', 'http://two:2', 'http://one:1']],
])(
  'what is read from the repository of project %i is asked where its storage is',
  async (projectId, urls) => {
    const { tried, operations } = asking();
    const request = { projectId, sha: 'f'.repeat(40), folder: '' };
    await expect(operations.call(listPaths, request, { principal: null })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(tried).toEqual(urls);
  },
);

test('what read models answer is asked of every instance', async () => {
  const { tried, operations } = asking();
  const page = { number: 1, size: 20, offset: 0, keyset: null };
  const request = { groupId: 1, shared: false, filters: {}, page };
  await operations.call(listProjectsOfGroup, request, { principal: null }).catch(() => {});
  expect(tried).toEqual(['http://one:1', 'http://two:2', 'http://one:1']);
});
