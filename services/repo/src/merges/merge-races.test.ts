import { randomUUID } from 'node:crypto';
import { mergeIntoBranch } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { GitFailedError, RefsBehindError } from '@forgelog/git/errors.ts';
import { gitText } from '@forgelog/git/testing/stock-git.ts';
import { projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, team } from '@forgelog/testing/sample-team.ts';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { startMerges } from '../testing/start-merges.ts';

vi.setConfig({ testTimeout: 120_000 });

async function started(settings: object = {}) {
  const [users, others] = [team.slice(0, 4), team.slice(5)];
  const running = await startMerges([...users, projectCreated(7, { settings }), ...others]);
  const { gitDir } = running.repo.repositories.of(7);
  return {
    ...running,
    git: (...args: string[]) => gitText(gitDir, args),
    merge: (iid: number, sha: string, id: string, squash = false) =>
      running.write(mergeIntoBranch, id, {
        ...{ projectId: 7, iid, sourceProjectId: 7, sourceBranch: `topic-${iid}`, targetBranch: 'main' },
        ...{ sha, squash, mergeMessage: `Merge ${iid}`, squashMessage: `Squash ${iid}` },
        squashAuthorId: DEVELOPER,
      }),
  };
}

/** What happens at the same time: merges of some branches, each asked for once or twice, and pushes to the target. */
const storm = fc.record({
  merges: fc.array(fc.record({ squash: fc.boolean(), twice: fc.boolean(), wait: fc.nat(60) }), {
    minLength: 2,
    maxLength: 6,
  }),
  pushes: fc.array(fc.nat(120), { maxLength: 4 }),
});

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('of merges and pushes at once none is lost and none happens twice', async () => {
  const check = async ({ merges, pushes }: { merges: Merge[]; pushes: number[] }) => {
    const { begin, setBranch, commit, merge, git, repo, tip } = await started();
    const shas: string[] = [];
    for (const [iid] of merges.entries()) {
      await setBranch(`topic-${iid}`, begin);
      shas.push(await commit(7, `topic-${iid}`, { [`${iid}.txt`]: `${iid}` }, `Topic ${iid}`));
    }
    const push = async (at: number, wait: number) => {
      await later(wait);
      // A push that lost the race is made again, as its author would.
      for (;;) {
        const pushed = await commit(7, 'main', { [`push-${at}.txt`]: '' }, `Push ${at}`).catch(() => null);
        if (pushed) return pushed;
      }
    };
    const answering = merges.map(async ({ squash, twice, wait }, iid) => {
      await later(wait);
      const id = randomUUID();
      const calls = Array.from({ length: twice ? 2 : 1 }, () => merge(iid, shas[iid]!, id, squash));
      const [answer, ...same] = await Promise.all(calls);
      for (const other of same) expect(other).toEqual(answer);
      return answer as { targetSha: string; squashCommitSha: string | null };
    });
    const [answers, pushed] = await Promise.all([
      Promise.all(answering),
      Promise.all(pushes.map((wait, at) => push(at, wait))),
    ]);
    const line = git('log', '--first-parent', '--format=%H', `${begin}..main`).split('\n');
    expect(line.toSorted()).toEqual([...answers.map(({ targetSha }) => targetSha), ...pushed].toSorted());
    for (const [iid, { squashCommitSha, targetSha }] of answers.entries())
      expect(git('rev-parse', `${targetSha}^2`)).toBe(squashCommitSha ?? shas[iid]);
    const names = git('ls-tree', '--name-only', 'main').split('\n');
    expect(names).toHaveLength(2 + merges.length + pushes.length);
    expect((await repo.repositories.loggedRefs(7)).get('refs/heads/main')).toBe(await tip('main'));
    expect(git('fsck', '--strict', '--no-dangling')).toBe('');
  };
  await fc.assert(fc.asyncProperty(storm, check), { numRuns: 8, endOnFailure: true });
});

interface Merge {
  squash: boolean;
  twice: boolean;
  wait: number;
}

test('of fast-forwards at once one wins, and the others are told to rebase', async () => {
  const { begin, setBranch, commit, merge, tip } = await started({ merge_method: 'ff' });
  const iids = [1, 2, 3, 4];
  const shas = new Map<number, string>();
  for (const iid of iids) {
    await setBranch(`topic-${iid}`, begin);
    shas.set(iid, await commit(7, `topic-${iid}`, { [`${iid}.txt`]: '' }));
  }
  const answers = await Promise.all(iids.map((iid) => merge(iid, shas.get(iid)!, randomUUID())));
  const won = answers.filter((answer) => 'targetSha' in answer);
  expect(won).toEqual([
    { sha: await tip('main'), targetSha: await tip('main'), mergeCommitSha: null, squashCommitSha: null },
  ]);
  expect(answers.filter((answer) => 'refused' in answer)).toEqual(
    Array(3).fill({ refused: 'rebase needed' }),
  );
});

test('a push to the source that is recorded first keeps the older tip from being merged', async () => {
  const { begin, setBranch, commit, merge, tip, repo } = await started();
  await setBranch('topic-1', begin);
  const sha = await commit(7, 'topic-1', { '1.txt': '' });
  const { mergeTrees, ...repository } = repo.repositories.of(7);
  await commit(7, 'main', { '2.txt': '' });
  const main = await tip('main');
  // The push comes while git merges.
  vi.spyOn(repo.repositories.of(7), 'mergeTrees').mockImplementationOnce(async (request) => {
    await commit(7, 'topic-1', { '3.txt': '' });
    return mergeTrees(request);
  });
  expect(await merge(1, sha, randomUUID())).toEqual({ refused: 'source moved' });
  expect([await tip('main'), await repository.readRef('refs/heads/main')]).toEqual([main, main]);
});

test.each(['before it is recorded', 'after it is recorded'])(
  'a merge that fails %s happens once when it is asked for again',
  async (when) => {
    const { begin, setBranch, commit, merge, tip, repo, git } = await started();
    await setBranch('topic-1', begin);
    const sha = await commit(7, 'topic-1', { '1.txt': '' });
    const id = randomUUID();
    vi.spyOn(repo.repositories.of(7), 'updateRefs').mockImplementationOnce(async (_, vote) => {
      if (when === 'before it is recorded') throw new GitFailedError('update-ref', 1, 'killed');
      await vote!();
      throw new RefsBehindError(new Error('killed'));
    });
    const first = await merge(1, sha, id).catch((error: unknown) => error);
    if (when === 'before it is recorded') expect(first).toBeInstanceOf(GitFailedError);
    const answer = await merge(1, sha, id);
    expect(answer).toMatchObject({ sha, targetSha: await tip('main') });
    expect(git('rev-list', '--count', '--first-parent', `${begin}..main`)).toBe('1');
  },
);
