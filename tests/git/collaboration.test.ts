import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { addressOf, commit, git, projectToPush, tryGit } from '../support/stock-git.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const REFUSED = 'You are not allowed to push code to this project.';

/** A public project with a fork of its contributor, and a merge request from there that lets others push. */
async function contribution() {
  const upstream = await projectToPush(forgelog, { visibility: 'public' });
  await git(upstream.folder, 'push', 'origin', 'main');
  const [contributor, merger, bystander] = [
    await createUser(forgelog),
    await createUser(forgelog),
    await createUser(forgelog),
  ];
  await must(forgelog.post(`/projects/${upstream.id}/members`, { user_id: merger.id, access_level: 30 }));
  const fork = await must(forgelog.post(`/projects/${upstream.id}/fork`, {}, contributor));
  await eventually('the fork has its refs', async () =>
    expect((await must(forgelog.get(`/projects/${fork.id}`, contributor))).import_status).toBe('finished'),
  );
  const addressFor = (user: typeof merger) =>
    addressOf(forgelog, fork.path_with_namespace, { name: user.username, secret: user.token });
  const { folder } = upstream;
  await git(folder, 'checkout', '-b', 'topic');
  await commit(folder, 'Contribute');
  await git(folder, 'push', addressFor(contributor), 'topic', 'topic:other');
  const wanted = { source_branch: 'topic', target_branch: 'next', target_project_id: upstream.id };
  await must(forgelog.post(`/projects/${upstream.id}/repository/branches`, { branch: 'next', ref: 'main' }));
  const request = await must(
    forgelog.post(
      `/projects/${fork.id}/merge_requests`,
      { ...wanted, title: 'Contribution', allow_collaboration: true },
      contributor,
    ),
  );
  const push = async (user: typeof merger, ...refs: string[]) => {
    const { code, stderr } = await tryGit(folder, 'push', addressFor(user), ...refs);
    return code === 0 ? 'pushed' : stderr;
  };
  const at = `/projects/${upstream.id}/merge_requests/${request.iid}`;
  return { upstream, fork, contributor, merger, bystander, folder, request, at, push };
}

test('who may merge pushes to the source branch of a fork, and to nothing else, while the request is open', async () => {
  const { contributor, merger, bystander, folder, request, at, push, fork } = await contribution();
  expect(request).toMatchObject({ allow_collaboration: true, allow_maintainer_to_push: true });
  await commit(folder, 'Help');
  expect(await push(bystander, 'topic')).toContain(REFUSED);
  expect(await push(merger, 'topic')).toBe('pushed');
  const head = (await git(folder, 'rev-parse', 'HEAD')).trim();
  expect((await must(forgelog.get(at, merger))).sha).toBe(head);
  // Mended commits replace those of the contributor, as a rebase does.
  await git(folder, 'commit', '--amend', '--allow-empty', '-m', 'Help more');
  expect(await push(merger, '+topic')).toBe('pushed');
  for (const refs of [
    ['topic:other'],
    ['topic:new'],
    [':topic'],
    ['topic:refs/tags/topic'],
    ['topic', 'topic:main'],
  ])
    expect(await push(merger, ...refs), refs.join()).toMatch(/remote rejected|not allowed|can push only/);
  await must(forgelog.put(at, { state_event: 'close' }, contributor));
  await commit(folder, 'Too late');
  expect(await push(merger, 'topic')).toContain(REFUSED);
  await must(forgelog.put(at, { state_event: 'reopen' }, contributor));
  expect(await push(merger, 'topic')).toBe('pushed');
  // Mergers cannot take what the contributor did not give.
  await must(forgelog.put(at, { allow_collaboration: false }, contributor));
  expect((await must(forgelog.put(at, { allow_collaboration: true }, merger))).allow_collaboration).toBe(
    false,
  );
  await commit(folder, 'Once more');
  expect(await push(merger, 'topic')).toContain(REFUSED);
  await must(forgelog.put(at, { allow_collaboration: true }, contributor));
  const rule = { name: 'topic' };
  await must(forgelog.post(`/projects/${fork.id}/protected_branches`, rule, contributor));
  expect(await push(merger, 'topic')).toContain('protected branches');
  await must(forgelog.delete(`/projects/${fork.id}/protected_branches/topic`, contributor));
  expect(await push(merger, 'topic')).toBe('pushed');
  await must(forgelog.put(`${at}/merge`, {}, merger));
  await commit(folder, 'After');
  expect(await push(merger, 'topic')).toContain(REFUSED);
});

test('who may merge commits, rebases and applies suggestions there through the API', async () => {
  const { upstream, fork, merger, bystander, at } = await contribution();
  const write = (branch: string, as: typeof merger, more: object = {}) =>
    forgelog.post(
      `/projects/${fork.id}/repository/files/${branch}.txt`,
      { branch, content: 'one\ntwo\n', commit_message: 'Help', ...more },
      as,
    );
  expect((await write('topic', bystander)).status).toBe(403);
  expect((await write('other', merger)).status).toBe(403);
  expect((await write('fresh', merger, { start_branch: 'topic' })).status).toBe(403);
  expect((await write('topic', merger)).status).toBe(201);
  const change = { branch: 'next', content: 'x', commit_message: 'Meanwhile' };
  await must(forgelog.post(`/projects/${upstream.id}/repository/files/meanwhile.txt`, change));
  expect((await forgelog.put(`${at}/rebase`, {}, bystander)).status).toBe(403);
  expect((await forgelog.put(`${at}/rebase`, {}, merger)).status).toBe(202);
  const { diff_refs } = await must(forgelog.get(at, merger));
  const position = { ...diff_refs, position_type: 'text', new_path: 'topic.txt', new_line: 1 };
  const body = '```suggestion\nONE\n```';
  const { notes } = await must(forgelog.post(`${at}/discussions`, { body, position }, bystander));
  const apply = (as: typeof merger) =>
    forgelog.put(`/suggestions/${notes[0].suggestions[0].id}/apply`, {}, as);
  expect((await apply(bystander)).status).toBe(403);
  expect(await apply(merger)).toMatchObject({ status: 200, body: { applied: true } });
});
