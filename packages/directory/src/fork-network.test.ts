import { expect, test } from 'vitest';
import type { DirectoryProject } from './collections.ts';
import { forkChain } from './fork-network.ts';

/** Project id → id of its origin. */
const chainIn = (origins: Record<number, number | null>, projectId: number) => {
  const project = async (id: number) =>
    id in origins ? ({ id, forkedFromId: origins[id] } as DirectoryProject) : undefined;
  return forkChain({ project }, projectId).then((chain) => chain.map(({ id }) => id));
};

test.each([
  ['of no fork is the project', { 1: null }, [1]],
  ['leads to the root of the network', { 1: 2, 2: 3, 3: null }, [1, 2, 3]],
  ['ends at an origin that is deleted', { 1: 2, 2: 9 }, [1, 2]],
  ['ends where it would begin again', { 1: 2, 2: 1 }, [1, 2]],
  ['of a project that is not there is empty', {}, []],
])('the chain %s', async (_, origins, chain) => {
  expect(await chainIn(origins, 1)).toEqual(chain);
});
