import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { moveRef } from './move-ref.commands.ts';

const refusals = { moved: 'It moved.', inTheWay: 'Another is in the way.' };
const none = '0'.repeat(40);

async function started() {
  const { repo, commit } = await startRepoSlices([], [userCreated(1), projectCreated(7)]);
  const tip = await commit(7, 'main', { 'a.txt': 'a' });
  return { repo, tip, readRef: (ref: string) => repo.repositories.of(7).readRef(ref) };
}

test('moves several refs, or none of them', async () => {
  const { repo, tip, readRef } = await started();
  const create = (name: string) => ({ ref: `refs/heads/${name}`, oldOid: none, newOid: tip });
  await moveRef(repo, 7, [create('one'), create('two')], SYSTEM_METADATA, refusals);
  expect(await readRef('refs/heads/two')).toBe(tip);
  const refused = moveRef(repo, 7, [create('three'), create('one')], SYSTEM_METADATA, refusals);
  await expect(refused).rejects.toMatchObject({ code: 'refused', body: { message: refusals.moved } });
  expect(await readRef('refs/heads/three')).toBeUndefined();
});

test('a name that another ref is in the way of is refused in the words for it', async () => {
  const { repo, tip, readRef } = await started();
  const below = { ref: 'refs/heads/main/below', oldOid: none, newOid: tip };
  await expect(moveRef(repo, 7, below, SYSTEM_METADATA, refusals)).rejects.toMatchObject({
    code: 'refused',
    body: { message: refusals.inTheWay },
  });
  expect(await readRef('refs/heads/main')).toBe(tip);
});

test('a failure of the repository is none of the caller', async () => {
  const failure = new Error('no space left');
  const repositories = { moveRefs: () => Promise.reject(failure) } as never;
  const update = { ref: 'refs/heads/main', oldOid: none, newOid: none };
  await expect(moveRef({ repositories }, 7, update, SYSTEM_METADATA, refusals)).rejects.toBe(failure);
});
