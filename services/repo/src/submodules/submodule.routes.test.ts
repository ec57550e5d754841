import { updateSubmodule } from '@forgelog/contracts/repo/submodules/submodule.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { gitText } from '@forgelog/git/testing/stock-git.ts';
import { DEVELOPER, OUTSIDER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { submoduleSlice } from './submodule.slice.ts';

const [OLD, NEW] = ['a'.repeat(40), 'b'.repeat(40)];

/** `main` has a file and the submodule `lib/engine`. */
async function started() {
  const running = await startRepoSlices([submoduleSlice], team);
  const { call, commit, repo } = running;
  const repository = repo.repositories.of(7);
  const first = await commit(7, 'main', { 'lib/readme': 'text' });
  // git itself makes it.
  const env = { GIT_INDEX_FILE: `${repository.gitDir}/index-of-test` };
  const git = (...args: string[]) => gitText(repository.gitDir, args, { env });
  git('read-tree', first);
  git('update-index', '--add', '--cacheinfo', `160000,${OLD},lib/engine`);
  const tip = git('commit-tree', '-p', first, '-m', 'Link', git('write-tree'));
  const update = { ref: 'refs/heads/main', oldOid: first, newOid: tip };
  await repo.repositories.moveRefs(7, [update], SYSTEM_METADATA, 'api');
  const put = (more: object = {}, caller: number | null = DEVELOPER) =>
    call(
      updateSubmodule,
      { id: 7, submodule: 'lib/engine', branch: 'main', commit_sha: NEW, ...more },
      caller,
    );
  const linked = (rev = 'main') => gitText(repository.gitDir, ['ls-tree', rev, 'lib/']);
  return { ...running, repository, tip, put, linked };
}

test('a submodule is moved to another commit by a commit', async () => {
  const { put, linked, tip, repository } = await started();
  const { status, body, events } = await put();
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      ...{ title: `Update submodule lib/engine with oid ${NEW}`, parent_ids: [tip], author_name: 'User 2' },
      stats: { additions: 1, deletions: 1 },
    },
  });
  expect(events).toMatchObject([{ type: 'RefUpdated', data: { newOid: body.id } }, { type: 'PushReceived' }]);
  expect(linked()).toContain(`160000 commit ${NEW}\tlib/engine`);
  expect(linked()).toContain('\tlib/readme');
  expect((await put({ commit_sha: OLD, commit_message: 'Back' })).body.title).toBe('Back');
  expect((await repository.fsck()).problems).toEqual([]);
});

test('of submodules that are moved at the same moment none is lost', async () => {
  const { put, repository } = await started();
  const shas = ['c', 'd', 'e'].map((digit) => digit.repeat(40));
  const replies = await Promise.all(shas.map((commit_sha) => put({ commit_sha })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(gitText(repository.gitDir, ['rev-list', '--count', 'main'])).toBe('5');
});

test('what is no submodule, and what is there already, is refused', async () => {
  const { put, linked, tip, repository } = await started();
  const noSubmodule = { message: 'Invalid submodule path' };
  for (const [more, body] of [
    [{ submodule: 'lib/readme' }, noSubmodule],
    [{ submodule: 'lib' }, noSubmodule],
    [{ submodule: 'nothing' }, noSubmodule],
    [{ submodule: 'lib/engine/inside' }, noSubmodule],
    [{ submodule: '../../config' }, noSubmodule],
    [{ submodule: '.git' }, noSubmodule],
    [{ commit_sha: OLD }, { message: `The submodule lib/engine is already at ${OLD}` }],
    [{ commit_sha: 'main' }, { error: 'commit_sha is invalid' }],
    [{ commit_sha: '--all' }, { error: 'commit_sha is invalid' }],
    [{ branch: 'nothing' }, { message: 'You can only create or edit files when you are on a branch' }],
  ] as const)
    expect(await put(more)).toMatchObject({ status: 400, body, events: [] });
  const statuses = [];
  for (const caller of [REPORTER, OUTSIDER, null]) statuses.push((await put({}, caller)).status);
  expect(statuses).toEqual([403, 404, 401]);
  expect(await repository.readRef('refs/heads/main')).toBe(tip);
  expect(linked()).toContain(OLD);
});
