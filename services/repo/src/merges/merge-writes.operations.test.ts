import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RequestOf } from '@forgelog/contracts/operation.ts';
import {
  containedHeads,
  deleteMergedBranch,
  mergeIntoBranch,
  rebaseBranch,
  writeMergeRef,
} from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { gitText } from '@forgelog/git/testing/stock-git.ts';
import { projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { describeMoves } from '../repository-storage/ref-moves.ts';
import { startMerges } from '../testing/start-merges.ts';
import { SAMPLE_AUTHOR } from '../testing/start-repo-slices.ts';

const ABSENT = 'a'.repeat(40);

/** Project 7 with these settings. Branches `topic` and `main` have a commit each that the other one lacks. */
async function started(settings: object = {}) {
  const [users, others] = [team.slice(0, 4), team.slice(5)];
  const running = await startMerges([
    ...users,
    projectCreated(7, { settings }),
    ...others,
    projectCreated(8),
  ]);
  const topic = await running.commit(7, 'topic', { 'a.txt': 'topic\n' }, 'Change a');
  const main = await running.commit(7, 'main', { 'b.txt': 'main\n' }, 'Change b');
  const request: RequestOf<typeof mergeIntoBranch> = {
    ...{ projectId: 7, iid: 3, sourceProjectId: 7, sourceBranch: 'topic', targetBranch: 'main', sha: topic },
    ...{ squash: false, mergeMessage: 'Merge topic', squashMessage: 'Squashed', squashAuthorId: REPORTER },
  };
  const { gitDir } = running.repo.repositories.of(7);
  const merge = (changes: Partial<typeof request> = {}, id: string = randomUUID(), userId = DEVELOPER) =>
    running.write(mergeIntoBranch, id, { ...request, ...changes }, userId);
  return { ...running, topic, main, request, merge, git: (...args: string[]) => gitText(gitDir, args) };
}

/** Brings `topic` on top of `main`. */
async function fastForwardable(settings: object) {
  const running = await started(settings);
  await running.setBranch('topic', running.main);
  const [first, topic] = [
    await running.commit(7, 'topic', { 'c.txt': '1' }, 'First'),
    await running.commit(7, 'topic', { 'c.txt': '2' }, 'Second'),
  ];
  return { ...running, first, topic };
}

test('a merge is a commit of both sides, and an event of the branch that tells of it', async () => {
  const { merge, topic, main, tip, git, repo } = await started();
  const id = randomUUID();
  const answer = await merge({}, id);
  const mergeCommitSha = (await tip('main'))!;
  expect(answer).toEqual({ sha: topic, targetSha: mergeCommitSha, mergeCommitSha, squashCommitSha: null });
  expect(git('log', '-1', '--format=%P %an %cn %B', 'main').trim()).toBe(
    `${main} ${topic} A user A user Merge topic`,
  );
  expect([git('show', 'main:a.txt'), git('show', 'main:b.txt')]).toEqual(['topic', 'main']);
  expect(await repo.repositories.movedBy(7, id)).toMatchObject({
    ...{ ref: 'refs/heads/main', oldOid: main, newOid: mergeCommitSha, commitCount: 2, forced: false },
    merge: { iid: 3, sha: topic, mergeCommitSha, squashCommitSha: null },
  });
  expect(git('fsck', '--strict')).toBe('');
});

test('a repeated call answers the same, whatever has happened since', async () => {
  const { merge, tip, commit, topic } = await started();
  const id = randomUUID();
  const first = await merge({}, id);
  await commit(7, 'main', { 'later.txt': '' });
  await commit(7, 'topic', { 'later.txt': '' });
  const now = await tip('main');
  expect(await merge({}, id)).toEqual(first);
  expect(await tip('main')).toBe(now);
  expect(await merge({ sha: topic })).toEqual({ refused: 'source moved' });
  expect(await merge({ sha: (await tip('topic'))! }, id, REPORTER)).toEqual(first);
});

test('two calls at once with one id merge once', async () => {
  const { merge, git, main } = await started();
  const id = randomUUID();
  const answers = await Promise.all([merge({}, id), merge({}, id), merge({}, id)]);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(git('rev-list', '--count', '--first-parent', `${main}..main`)).toBe('1');
});

test('a merge that was recorded when the process ended is not merged again', async () => {
  const { merge, tip, topic, main, repo } = await started();
  const { repositories } = repo;
  const repository = repositories.of(7);
  const author = { ...SAMPLE_AUTHOR, date: new Date() };
  const { treeOid } = await repository.mergeTrees({ ours: main, theirs: topic });
  const newOid = await repository.commitTree({
    ...{ treeOid, parents: [main, topic], author, message: 'Merge\n' },
  });
  const operationId = randomUUID();
  const { moves, commits } = await describeMoves(repository, [
    { ref: 'refs/heads/main', oldOid: main, newOid },
  ]);
  await repositories.record({
    ...{ projectId: 7, pushId: newEventId(), via: 'api', pushOptions: [], metadata: SYSTEM_METADATA },
    ...{ moves, commits, operationId },
    merge: { iid: 3, sha: topic, mergeCommitSha: newOid, squashCommitSha: null },
  });
  expect(await tip('main')).toBe(main);
  const answer = { sha: topic, targetSha: newOid, mergeCommitSha: newOid, squashCommitSha: null };
  expect(await merge({}, operationId)).toEqual(answer);
  // As a start does.
  await repositories.rollForward(7);
  expect(await tip('main')).toBe(newOid);
  expect(await merge({}, operationId)).toEqual(answer);
  expect(await merge()).toEqual({ refused: 'already merged' });
});

test('git that is behind the log does not merge into what it has', async () => {
  const { merge, commit, main, repo, git } = await started();
  const later = await commit(7, 'main', { 'later.txt': '' });
  git('update-ref', 'refs/heads/main', main);
  const answer = await merge();
  expect(answer).toHaveProperty('targetSha');
  expect(git('merge-base', '--is-ancestor', later, 'main')).toBe('');
  expect((await repo.repositories.loggedRefs(7)).get('refs/heads/main')).toBe(git('rev-parse', 'main'));
});

test('conflicts are named, and nothing moves', async () => {
  const { merge, commit, tip } = await started();
  const main = await commit(7, 'main', { 'a.txt': 'main\n' });
  expect(await merge()).toEqual({ refused: 'conflict', conflicts: ['a.txt'] });
  expect(await tip('main')).toBe(main);
});

test.each([
  ['a source that has moved', { sha: ABSENT }, 'source moved'],
  ['a source branch that is gone', { sourceBranch: 'gone' }, 'no source'],
  ['a source project that is gone', { sourceProjectId: 99 }, 'no source'],
  ['a target branch that is gone', { targetBranch: 'gone' }, 'no target'],
  ['a target that no branch can be named', { targetBranch: '..' }, 'no target'],
] as const)('%s is refused', async (_, changes, refused) => {
  const { merge } = await started();
  expect(await merge(changes)).toEqual({ refused });
});

test('who may not merge into the branch is refused', async () => {
  const { merge, tip, main } = await started();
  expect(await merge({}, randomUUID(), REPORTER)).toEqual({ refused: 'forbidden' });
  expect(await tip('main')).toBe(main);
});

test('what a rule of the project refuses is told in its words, and nothing moves', async () => {
  const { merge, write, tip, repo, main, topic } = await started();
  repo.repositories.onMoving(async () => {
    throw new Rejection('refused', { message: 'Write a better message' });
  });
  const refused = { refused: 'rule', message: 'Write a better message' };
  expect(await merge()).toEqual(refused);
  const onto = { projectId: 7, sha: main };
  const rebase = { projectId: 7, branch: 'topic', sha: topic, onto, skipCi: false };
  expect(await write(rebaseBranch, randomUUID(), rebase)).toEqual(refused);
  expect([await tip('main'), await tip('topic')]).toEqual([main, topic]);
});

test('squashed commits become one of their author, under the merge commit', async () => {
  const { merge, commit, main, git } = await started();
  const sha = await commit(7, 'topic', { 'a.txt': 'more\n' });
  const answer = await merge({ sha, squash: true, squashMessage: 'One\r\n\0two\x1b[31m\n\n' });
  const [merged, squashed] = [git('rev-parse', 'main'), git('rev-parse', 'main^2')];
  expect(answer).toEqual({ sha, targetSha: merged, mergeCommitSha: merged, squashCommitSha: squashed });
  expect(git('log', '-1', '--format=%P %an %cn %B', squashed).trim()).toBe(
    `${main} User ${REPORTER} A user One\ntwo[31m`,
  );
  expect([git('show', 'main:a.txt'), git('rev-list', '--count', `${main}..main`)]).toEqual(['more', '2']);
});

test('the project decides whether commits are squashed', async () => {
  const never = await started({ squash_option: 'never' });
  expect(await never.merge({ squash: true })).toMatchObject({ squashCommitSha: null });
  const always = await started({ squash_option: 'always' });
  expect(await always.merge()).toMatchObject({ squashCommitSha: expect.any(String) });
});

test('a fast-forward makes no commit, and needs a source that contains the target', async () => {
  const settings = { merge_method: 'ff' };
  expect(await (await started(settings)).merge()).toEqual({ refused: 'rebase needed' });
  const { merge, topic, tip } = await fastForwardable(settings);
  const none = { mergeCommitSha: null, squashCommitSha: null };
  expect(await merge({ sha: topic })).toEqual({ sha: topic, targetSha: topic, ...none });
  expect(await tip('main')).toBe(topic);
});

test('a fast-forward to squashed commits makes one commit', async () => {
  const { merge, topic, git, main } = await fastForwardable({ merge_method: 'ff' });
  const answer = await merge({ sha: topic, squash: true });
  const squashed = git('rev-parse', 'main');
  expect(answer).toEqual({
    sha: topic,
    targetSha: squashed,
    mergeCommitSha: null,
    squashCommitSha: squashed,
  });
  expect(git('log', '--format=%s', `${main}..main`)).toBe('Squashed');
});

test('one commit with the wanted message is squashed already', async () => {
  const { merge, first, setBranch, tip } = await fastForwardable({ merge_method: 'ff' });
  await setBranch('topic', first);
  const squashed = await merge({ sha: first, squash: true, squashMessage: 'First' });
  expect(squashed).toMatchObject({ targetSha: first, squashCommitSha: first });
  expect(await tip('main')).toBe(first);
});

test('a semi-linear merge is a merge commit of a source that contains the target', async () => {
  const settings = { merge_method: 'rebase_merge' };
  expect(await (await started(settings)).merge()).toEqual({ refused: 'rebase needed' });
  const { merge, topic, main, git } = await fastForwardable(settings);
  expect(await merge({ sha: topic })).toMatchObject({ mergeCommitSha: git('rev-parse', 'main') });
  expect(git('log', '-1', '--format=%P', 'main')).toBe(`${main} ${topic}`);
});

test('a branch of another project is merged with its objects', async () => {
  const { merge, commit, setBranch, repo, begin, git } = await started();
  await repo.repositories.of(8).copyObjectsFrom(repo.repositories.of(7), [begin]);
  await setBranch('main', begin, 8);
  const sha = await commit(8, 'main', { 'other.txt': 'other' });
  const asked = { sourceProjectId: 8, sourceBranch: 'main', sha };
  // Rights in the target are enough: whoever opened the request gave the commits.
  expect(await merge(asked)).toMatchObject({ sha });
  expect([git('show', 'main:other.txt'), git('fsck', '--strict')]).toEqual(['other', '']);
});

test('a rebased branch has its commits on top, by their authors and without what is there already', async () => {
  const { write, commit, git, main, topic, tip, repo } = await started();
  await commit(7, 'main', { 'same.txt': 'same' });
  await commit(7, 'topic', { 'same.txt': 'same' }, 'Already there');
  const sha = await commit(7, 'topic', { 'last.txt': 'last' }, 'Last\n\nWith a body');
  const onto = { projectId: 7, sha: (await tip('main'))! };
  const id = randomUUID();
  const request = { projectId: 7, branch: 'topic', sha, onto, skipCi: true };
  const answer = await write(rebaseBranch, id, request);
  expect(answer).toEqual({ sha: git('rev-parse', 'topic') });
  expect(git('log', '--format=%s %an %cn', 'main..topic').split('\n')).toEqual([
    `Last ${SAMPLE_AUTHOR.name} A user`,
    `Change a ${SAMPLE_AUTHOR.name} A user`,
  ]);
  expect(git('log', '-1', '--format=%b', 'topic')).toBe('With a body');
  expect(git('merge-base', '--is-ancestor', main, 'topic')).toBe('');
  const moved = { pushOptions: ['ci.skip'], oldOid: sha, forced: true, merge: null };
  expect(await repo.repositories.movedBy(7, id)).toMatchObject(moved);
  expect(await write(rebaseBranch, id, request)).toEqual(answer);
  expect(await write(rebaseBranch, randomUUID(), request)).toEqual({ refused: 'branch moved' });
  const now = { ...request, sha: (await tip('topic'))! };
  expect(await write(rebaseBranch, randomUUID(), now)).toEqual({ sha: now.sha });
  expect(await write(rebaseBranch, randomUUID(), { ...now, sha: topic })).toEqual({
    refused: 'branch moved',
  });
});

test('the same commits as those of git rebase', async () => {
  const { write, commit, git, tip, setBranch, begin } = await started();
  for (const text of ['1', '2', '3'])
    await commit(7, 'topic', { [`${text}.txt`]: text, 'a.txt': text }, text);
  // A merge in the branch is left out.
  await setBranch('side', begin);
  const side = await commit(7, 'side', { 'side.txt': 'side' }, 'Side');
  const tree = git('merge-tree', '--write-tree', (await tip('topic'))!, side);
  const env = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  const merged = git(
    ...env,
    'commit-tree',
    tree,
    '-p',
    (await tip('topic'))!,
    '-p',
    side,
    '-m',
    'Merge side',
  );
  await setBranch('topic', merged);
  const onto = { projectId: 7, sha: (await tip('main'))! };
  const request = { projectId: 7, branch: 'topic', sha: merged, onto, skipCi: false };
  await write(rebaseBranch, randomUUID(), request);
  expect(git('log', '--format=%s', 'main..topic').split('\n').toSorted()).toEqual(
    ['1', '2', '3', 'Change a', 'Side'].toSorted(),
  );
  expect(git('rev-list', '--count', '--merges', 'main..topic')).toBe('0');
  // The branch and the target together, as a merge of both has them.
  const both = git('merge-tree', '--write-tree', onto.sha, merged).split('\n')[0];
  expect(git('rev-parse', 'topic^{tree}')).toBe(both);
});

test('a rebase is refused for conflicts, missing commits, and callers without rights', async () => {
  const { write, commit, topic, main, begin } = await started();
  const conflicting = await commit(7, 'main', { 'a.txt': 'main\n' });
  const request = { projectId: 7, branch: 'topic', sha: topic, skipCi: false };
  const rebaseOnto = (sha: string, changes: object = {}, userId = DEVELOPER) =>
    write(rebaseBranch, randomUUID(), { ...request, onto: { projectId: 7, sha }, ...changes }, userId);
  expect(await rebaseOnto(conflicting)).toEqual({ refused: 'conflict', conflicts: ['a.txt'] });
  expect(await rebaseOnto(ABSENT)).toEqual({ refused: 'no commit' });
  expect(await rebaseOnto(main, {}, REPORTER)).toEqual({ refused: 'forbidden' });
  // Only maintainers drop commits of a protected branch.
  expect(await rebaseOnto(begin, { branch: 'main', sha: main })).toEqual({ refused: 'forbidden' });
  expect(await rebaseOnto(main, { branch: 'gone' })).toEqual({ refused: 'no branch' });
  expect(await rebaseOnto(main, { onto: { projectId: 8, sha: main } })).toEqual({ refused: 'no target' });
});

test('a merged branch is deleted once, unless it has moved, is protected, or the caller may not', async () => {
  const { write, topic, main, tip, begin } = await started();
  const id = randomUUID();
  const drop = (changes: object = {}, operationId = randomUUID() as string, userId = DEVELOPER) =>
    write(deleteMergedBranch, operationId, { projectId: 7, branch: 'topic', sha: topic, ...changes }, userId);
  expect(await drop({ sha: begin })).toEqual({ refused: 'branch moved' });
  expect(await drop({}, id, REPORTER)).toEqual({ refused: 'forbidden' });
  expect(await drop({ branch: 'main', sha: main }, id, OWNER)).toEqual({ refused: 'protected' });
  expect(await drop({ projectId: 8 })).toEqual({ refused: 'no project' });
  expect(await drop({}, id)).toEqual({ deleted: true });
  expect(await tip('topic')).toBeUndefined();
  expect(await drop({}, id)).toEqual({ deleted: true });
  expect(await drop()).toEqual({ refused: 'no branch' });
});

test('a test merge has a ref of its own, the same for the same commits', async () => {
  const { ask, topic, main, git, commit } = await started();
  const pair = { projectId: 7, iid: 3, sourceSha: topic, targetSha: main };
  const answer = await ask(writeMergeRef, pair);
  const ref = 'refs/merge-requests/3/merge';
  expect(answer).toEqual({ sha: git('rev-parse', ref) });
  expect(git('log', '-1', '--format=%P', ref)).toBe(`${main} ${topic}`);
  expect(await Promise.all([ask(writeMergeRef, pair), ask(writeMergeRef, pair)])).toEqual([answer, answer]);
  git('update-ref', '-d', ref);
  // Refs are looked at again after 10 ms.
  await setTimeout(20);
  expect(await ask(writeMergeRef, pair)).toEqual(answer);
  const targetSha = await commit(7, 'main', { 'a.txt': 'main\n' });
  const conflict = { refused: 'conflict', conflicts: ['a.txt'] };
  expect(await ask(writeMergeRef, { ...pair, targetSha })).toEqual(conflict);
  expect(git('rev-parse', ref)).toBe((answer as { sha: string }).sha);
  expect(await ask(writeMergeRef, { ...pair, targetSha: ABSENT })).toEqual({ refused: 'no commit' });
});

test('the heads that a commit contains are told', async () => {
  const { ask, merge, topic, begin, tip, commit } = await started();
  const asked = { projectId: 7, heads: [topic, ABSENT, begin] };
  expect(await ask(containedHeads, { ...asked, tip: (await tip('main'))! })).toEqual({ contained: [begin] });
  await merge();
  await commit(7, 'main', { 'later.txt': '' });
  expect(await ask(containedHeads, { ...asked, tip: (await tip('main'))! })).toEqual({
    contained: [topic, begin],
  });
  expect(await ask(containedHeads, { ...asked, tip: ABSENT })).toEqual({ contained: [] });
});
