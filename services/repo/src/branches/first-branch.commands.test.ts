import type { createBranch } from '@forgelog/contracts/repo/branches/branch.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { createFirstBranch } from './first-branch.commands.ts';

const refusals = { moved: 'It moved.', inTheWay: 'Another is in the way.' };

async function started() {
  const { repo, commit, ports } = await startRepoSlices([], team);
  const create = async (branch: string, ref = 'main', level = 30) => {
    const project = (await ports.directory.project(7))!;
    const request = {
      params: { id: '7', branch, ref },
      project: { project: { ...project, readOnly: null }, level, can: () => true } as unknown as ProjectGrant,
      caller: { name: 'Ann', email: 'ann@example.org' },
      metadata: SYSTEM_METADATA,
    } as unknown as ApiRequest<typeof createBranch>;
    return createFirstBranch(repo, request, refusals);
  };
  const refs = async () => (await repo.repositories.of(7).listRefs('refs/heads/')).map(({ ref }) => ref);
  return { create, refs, commit };
}

test.each(['main', 'refs/heads/main', 'HEAD'])('from %s it begins with the default one', async (ref) => {
  const { create, refs } = await started();
  expect(await create('topic', ref)).toMatch(/^[0-9a-f]{40}$/);
  expect(await refs()).toEqual(['refs/heads/main', 'refs/heads/topic']);
});

test('the default branch itself is one ref', async () => {
  const { create, refs } = await started();
  expect(await create('main')).toMatch(/^[0-9a-f]{40}$/);
  expect(await refs()).toEqual(['refs/heads/main']);
});

test('nothing begins from another ref, or where a commit is', async () => {
  const { create, refs, commit } = await started();
  expect(await create('topic', 'other')).toBeUndefined();
  expect(await refs()).toEqual([]);
  await commit(7, 'main', { 'a.txt': 'a' });
  expect(await create('topic')).toBeUndefined();
  expect(await refs()).toEqual(['refs/heads/main']);
});

test('of two at once one begins, and the other finds a project that is not empty', async () => {
  const { create, refs } = await started();
  const made = await Promise.all([create('one'), create('two')]);
  expect(made.filter((oid) => oid !== undefined)).toHaveLength(1);
  expect(await refs()).toHaveLength(2);
});

test('a name that the default branch is in the way of is refused, and none begins', async () => {
  const { create, refs } = await started();
  await expect(create('main/below')).rejects.toMatchObject({
    code: 'refused',
    body: { message: refusals.inTheWay },
  });
  expect(await refs()).toEqual([]);
});
