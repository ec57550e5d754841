import { cherryPickCommit, revertCommit } from '@forgelog/contracts/repo/commits/commit.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { DEVELOPER, OUTSIDER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test, vi } from 'vitest';
import { SAMPLE_AUTHOR, startRepoSlices } from '../testing/start-repo-slices.ts';
import { commitSlice } from './commit.slice.ts';

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index}`);
const linesWith = (changed: Readonly<Record<number, string>>) =>
  LINES.map((line, index) => changed[index] ?? line).join('\n');

/** `topic` begins at the first commit of `main`, which then goes on. */
async function started() {
  const running = await startRepoSlices([commitSlice], team);
  const { call, commit, repo } = running;
  const repository = repo.repositories.of(7);
  const first = await commit(7, 'main', { text: linesWith({}), other: 'x' }, 'Begin');
  await moveTo('topic', ZERO_OID, first);
  const fix = await commit(7, 'topic', { text: linesWith({ 2: 'fixed' }) }, 'Fix it\n\nReviewed-by: Bo\n');
  const tip = await commit(7, 'main', { text: linesWith({ 35: 'moved on' }) }, 'Go on');

  async function moveTo(branch: string, oldOid: string, newOid: string) {
    const update = { ref: `refs/heads/${branch}`, oldOid, newOid };
    await repo.repositories.moveRefs(7, [update], SYSTEM_METADATA, 'api');
  }
  const contentOf = async (name: string, path = 'text') => {
    const { oid } = (await repository.resolveRevision(name))!;
    return String((await repository.file(oid, path, 1 << 20))?.content);
  };
  const pick = (sha: string, more: object = {}, caller: Parameters<typeof call>[2] = DEVELOPER) =>
    call(cherryPickCommit, { id: 7, sha, branch: 'main', ...more }, caller);
  const revert = (sha: string, more: object = {}, caller: Parameters<typeof call>[2] = DEVELOPER) =>
    call(revertCommit, { id: 7, sha, branch: 'main', ...more }, caller);
  return { ...running, repository, first, fix, tip, pick, revert, moveTo, contentOf };
}

test('a picked commit keeps its author, and names where it comes from', async () => {
  const { pick, contentOf, fix, tip } = await started();
  const { body, status, events } = await pick('topic');
  expect({ status, body }).toMatchObject({
    status: 201,
    body: {
      title: 'Fix it',
      message: `Fix it\n\nReviewed-by: Bo\n\n(cherry picked from commit ${fix})`,
      parent_ids: [tip],
      author_email: SAMPLE_AUTHOR.email,
      committer_email: 'user2@example.org',
      web_url: expect.stringContaining('/user1/project7/-/commit/'),
    },
  });
  expect(events).toMatchObject([
    { type: 'RefUpdated', data: { ref: 'refs/heads/main', oldOid: tip, newOid: body.id, forced: false } },
    { type: 'PushReceived', data: { via: 'api', commitCount: 1 } },
  ]);
  expect(await contentOf('main')).toBe(linesWith({ 2: 'fixed', 35: 'moved on' }));
});

test('a reverted commit is taken back, by the caller', async () => {
  const { revert, contentOf, tip } = await started();
  expect(await revert(tip.slice(0, 9))).toMatchObject({
    status: 201,
    body: {
      title: 'Revert "Go on"',
      message: `Revert "Go on"\n\nThis reverts commit ${tip}`,
      author_name: 'User 2',
      committer_name: 'User 2',
    },
  });
  expect(await contentOf('main')).toBe(linesWith({}));
});

test('the caller may write the message of a picked commit', async () => {
  const { pick } = await started();
  expect((await pick('topic', { message: 'Backport the fix' })).body.message).toBe('Backport the fix');
});

test('a change follows a file that was renamed meanwhile', async () => {
  const { pick, contentOf, repository, tip, moveTo } = await started();
  const author = { ...SAMPLE_AUTHOR, date: new Date() };
  const actions = [{ action: 'move' as const, path: 'docs/text', previousPath: 'text' }];
  const renamed = await repository.buildCommit({ parents: [tip], actions, author, message: 'Rename' });
  await moveTo('main', tip, renamed.oid);
  expect((await pick('topic')).status).toBe(201);
  expect(await contentOf('main', 'docs/text')).toBe(linesWith({ 2: 'fixed', 35: 'moved on' }));
});

test('a rehearsal says whether the commit fits, and changes nothing', async () => {
  const { pick, revert, repository, tip, first } = await started();
  expect(await pick('topic', { dry_run: true })).toMatchObject({
    status: 200,
    body: { dry_run: 'success' },
    events: [],
  });
  expect(await revert('main', { dry_run: true })).toMatchObject({ status: 200, events: [] });
  expect(await pick(first, { dry_run: true })).toMatchObject({
    status: 400,
    body: { error_code: 'conflict', dry_run: 'error' },
    events: [],
  });
  expect(await repository.readRef('refs/heads/main')).toBe(tip);
});

test('a commit that does not fit, and one that changes nothing, are refused with their code', async () => {
  const { pick, revert, commit, repository, tip, fix } = await started();
  expect((await pick(tip)).body).toEqual({
    message:
      'Sorry, we cannot cherry-pick this commit automatically. This commit may already have been ' +
      'cherry-picked, or a more recent commit may have updated some of its content.',
    error_code: 'empty',
  });
  expect((await revert(fix)).body.error_code).toBe('empty');
  const later = await commit(7, 'main', { text: linesWith({ 35: 'and on' }) });
  expect(await revert(tip)).toMatchObject({ status: 400, body: { error_code: 'conflict' }, events: [] });
  expect(await repository.readRef('refs/heads/main')).toBe(later);
});

test('of a merge the changes against its first parent count', async () => {
  const { pick, revert, contentOf, repository, commit, moveTo, first, fix } = await started();
  await moveTo('side', ZERO_OID, first);
  const ours = await commit(7, 'side', { side: '1' });
  const { treeOid } = await repository.mergeTrees({ ours, theirs: fix });
  const author = { ...SAMPLE_AUTHOR, date: new Date() };
  const merge = await repository.commitTree({ treeOid, parents: [ours, fix], author, message: 'Merge' });
  await moveTo('side', ours, merge);
  expect((await pick('side')).status).toBe(201);
  expect(await contentOf('main')).toBe(linesWith({ 2: 'fixed', 35: 'moved on' }));
  expect(await repository.entry((await repository.readRef('refs/heads/main'))!, 'side')).toBeUndefined();
  expect((await revert('side', { branch: 'side' })).status).toBe(201);
  expect([await contentOf('side'), await contentOf('side', 'side')]).toEqual([linesWith({}), '1']);
});

test('the first commit of a history is picked and taken back like any other', async () => {
  const { pick, revert, commit, contentOf, repository } = await started();
  const root = await commit(7, 'orphan', { stray: 'hello' }, 'Stray');
  expect((await pick('orphan')).status).toBe(201);
  expect(await contentOf('main', 'stray')).toBe('hello');
  expect((await revert(root)).status).toBe(201);
  expect(await repository.entry((await repository.readRef('refs/heads/main'))!, 'stray')).toBeUndefined();
  expect((await revert(root, { branch: 'orphan' })).status).toBe(201);
  expect((await repository.fsck()).problems).toEqual([]);
});

test('of commits that are picked at the same moment none is lost, nor a push in between', async () => {
  const { pick, commit, repository, first, repo } = await started();
  const picked = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const author = { ...SAMPLE_AUTHOR, date: new Date() };
    const actions = [{ action: 'create' as const, path: name, content: Buffer.from(name) }];
    picked.push((await repository.buildCommit({ parents: [first], actions, author, message: name })).oid);
  }
  const merge = repository.mergeTrees;
  vi.spyOn(repository, 'mergeTrees').mockImplementationOnce(async (request) => {
    await commit(7, 'main', { pushed: 'meanwhile' });
    return merge(request);
  });
  const replies = await Promise.all(picked.map((sha) => pick(sha)));
  vi.restoreAllMocks();
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const tip = (await repo.repositories.of(7).readRef('refs/heads/main'))!;
  const { entries } = (await repository.tree(tip, { limit: 20 }))!;
  expect(entries.map(({ path }) => path)).toEqual(['a', 'b', 'c', 'd', 'other', 'pushed', 'text']);
});

test('a branch that never stands still ends the attempts', async () => {
  const { pick, commit, repository } = await started();
  const merge = repository.mergeTrees;
  let pushes = 0;
  vi.spyOn(repository, 'mergeTrees').mockImplementation(async (request) => {
    await commit(7, 'main', { pushed: String(pushes++) });
    return merge(request);
  });
  expect(await pick('topic')).toMatchObject({
    status: 400,
    body: { message: 'The branch was updated meanwhile' },
  });
  vi.restoreAllMocks();
  expect(pushes).toBe(5);
});

test('a branch that is protected while the commit is merged stays as it is', async () => {
  const { pick, repo, repository, tip } = await started();
  const merge = repository.mergeTrees;
  vi.spyOn(repository, 'mergeTrees').mockImplementationOnce(async (request) => {
    const merged = await merge(request);
    vi.spyOn(repo, 'refAccess').mockReturnValue({
      mayMove: () => false,
      protectionOf: () => undefined,
    } as never);
    return merged;
  });
  expect(await pick('topic')).toMatchObject({ status: 403, events: [] });
  vi.restoreAllMocks();
  expect(await repository.readRef('refs/heads/main')).toBe(tip);
});

test('who may not push to the branch changes nothing, and missing names are refused', async () => {
  const { pick, revert, tip, repository } = await started();
  const statuses = [];
  for (const caller of [REPORTER, OUTSIDER, null]) statuses.push((await pick('topic', {}, caller)).status);
  expect(statuses).toEqual([403, 404, 401]);
  for (const [params, status, message] of [
    [{ sha: 'f'.repeat(40) }, 404, '404 Commit Not Found'],
    [{ sha: '--upload-pack=x' }, 404, '404 Commit Not Found'],
    [{ sha: 'topic', branch: 'nothing' }, 404, '404 Branch Not Found'],
    [{ sha: 'topic', branch: '../../HEAD' }, 404, '404 Branch Not Found'],
    [{ sha: 'topic', branch: '--all' }, 404, '404 Branch Not Found'],
  ] as const)
    for (const act of [pick, revert])
      expect(await act(params.sha, params)).toMatchObject({ status, body: { message }, events: [] });
  expect((await pick('topic', { branch: '' })).body).toEqual({ error: 'branch is empty' });
  expect(await repository.readRef('refs/heads/main')).toBe(tip);
});
