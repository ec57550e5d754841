import type { EventOf } from '@forgelog/contracts/event.ts';
import type { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { react } from '@forgelog/testing/given-policy.ts';
import { on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test, vi } from 'vitest';
import { projectSlice } from '../projects/project.slice.ts';
import { SAMPLE_AUTHOR, startRepoSlices } from '../testing/start-repo-slices.ts';
import { interruptedPushes } from './interrupted-push.policy.ts';
import { refLogDecider, refLogStream } from './ref-log.decider.ts';

const PROJECT = 7;
const REF = 'refs/heads/main';
const PUSH = '0190b5e0-0000-7000-8000-000000000001';

/** A project whose log has a move of its branch that git has not made, as after a kill between the two. */
async function interrupted(pushId: string | null = PUSH) {
  const { repo, ports } = await startRepoSlices([projectSlice], [userCreated(1), projectCreated(PROJECT)]);
  const { repositories } = repo;
  const author = { ...SAMPLE_AUTHOR, date: new Date() };
  const { oid } = await repositories
    .of(PROJECT)
    .buildCommit({ parents: [], actions: [], author, message: 'First' });
  const data: EventOf<typeof RefUpdated>['data'] = {
    ...{
      projectId: PROJECT,
      ref: REF,
      oldOid: ZERO_OID,
      newOid: oid,
      pushId,
      via: 'push',
      pushOptions: ['ci.skip'],
    },
    ...{
      commitCount: 1,
      commitCountIsLowerBound: false,
      commitTitle: 'First',
      forced: false,
      merge: null,
      suggestionIds: null,
    },
  };
  const move = { type: 'RefUpdated', data };
  await ports.commands.append(refLogStream(PROJECT), 'no-stream', [move], SYSTEM_METADATA);
  return {
    repo,
    oid,
    move: on(refLogStream(PROJECT), move),
    tip: () => repositories.of(PROJECT).readRef(REF),
    async appended() {
      const { state, revision } = await ports.commands.load(refLogDecider, refLogStream(PROJECT));
      return { open: state.open.size, revision };
    },
  };
}

test('a ref that stayed behind the log follows it, and the push ends once', async () => {
  const { repo, oid, move, tip, appended } = await interrupted();
  repo.repositories.open();
  expect(await appended()).toEqual({ open: 1, revision: 0 });
  await react([interruptedPushes(repo)], move);
  expect(await tip()).toBe(oid);
  expect(await appended()).toEqual({ open: 0, revision: 1 });
});

test('a move of an early log, which is of no push, is made up for without an end', async () => {
  const { repo, oid, move, tip, appended } = await interrupted(null);
  repo.repositories.open();
  await react([interruptedPushes(repo)], move);
  expect(await tip()).toBe(oid);
  expect(await appended()).toEqual({ open: 0, revision: 0 });
});

test('a push that still runs is waited for', async () => {
  const { repo, oid, move, tip, appended } = await interrupted();
  const { repositories } = repo;
  const [idle, follow] = [vi.spyOn(repositories, 'idle'), vi.spyOn(repositories, 'follow')];
  const release = repositories.hold(PROJECT);
  repositories.open();
  const reacted = react([interruptedPushes(repo)], move);
  await expect.poll(() => idle.mock.calls).toEqual([[PROJECT]]);
  await new Promise(setImmediate);
  expect(follow).not.toHaveBeenCalled();
  release();
  await reacted;
  expect([await tip(), (await appended()).open]).toEqual([oid, 0]);
});

test('the instance of another storage leaves it alone', async () => {
  const { repo, move, tip, appended } = await interrupted();
  repo.repositories.open();
  const storages = { own: 'second', all: ['default', 'second'] };
  await react([interruptedPushes({ ...repo, storages })], move);
  expect([await tip(), (await appended()).open]).toEqual([undefined, 1]);
});
