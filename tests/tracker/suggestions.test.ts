import { expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import type { CallOptions } from '../support/calls.ts';
import { forgelogForTest } from '../support/forgelog.ts';

const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');
const block = (info: string, ...texts: readonly string[]) =>
  `\`\`\`suggestion${info}\n${lines(...texts)}\`\`\``;

interface Suggestion {
  id: number;
  applied: boolean;
  appliable: boolean;
}

/** A merge request that adds `new` and `newer` to the three lines of `file.txt`. */
async function underReview(settings: object = {}) {
  const forgelog = await forgelogForTest();
  const must = async (call: ReturnType<typeof forgelog.call>) => {
    const reply = await call;
    expect([reply.status, reply.text]).toEqual([expect.toSatisfy((status) => status < 300), reply.text]);
    return reply.body;
  };
  const { id, path_with_namespace: path } = await must(
    forgelog.post('/projects', { name: 'suggested', visibility: 'public', ...settings }),
  );
  const project = `/projects/${id}`;
  const commit = async (branch: string, action: string, content: string, more: object = {}) =>
    must(
      forgelog.post(`${project}/repository/commits`, {
        ...{ branch, commit_message: 'Change', ...more },
        actions: [{ action, file_path: 'file.txt', content }],
      }),
    );
  await commit('main', 'create', lines('one', 'two', 'three'));
  await commit('topic', 'update', lines('one', 'two', 'new', 'newer', 'three'), { start_branch: 'main' });
  const request = { source_branch: 'topic', target_branch: 'main', title: 'Review' };
  const { iid, diff_refs } = await must(forgelog.post(`${project}/merge_requests`, request));
  const at = `${project}/merge_requests/${iid}`;
  /** @returns the note with what it suggests */
  const suggest = async (body: string, new_line?: number, more: object = {}, options: CallOptions = {}) => {
    const position = { ...diff_refs, position_type: 'text', new_path: 'file.txt', new_line, ...more };
    const { id: discussion, notes } = await must(
      forgelog.post(`${at}/discussions`, { body, position }, options),
    );
    return { discussion, ...notes[0], suggestions: notes[0].suggestions as Suggestion[] };
  };
  const apply = (suggestion: { id: number } | undefined, given: object = {}, options: CallOptions = {}) =>
    forgelog.put(`/suggestions/${suggestion!.id}/apply`, given, options);
  const batch = (of: readonly { id: number }[], given: object = {}) =>
    forgelog.put('/suggestions/batch_apply', { ids: of.map((one) => one.id), ...given });
  const shown = async (note: { id: number }): Promise<Suggestion[]> =>
    (await must(forgelog.get(`${at}/notes/${note.id}`))).suggestions;
  const content = async (branch = 'topic') =>
    (await forgelog.get(`${project}/repository/files/file.txt/raw?ref=${branch}`)).text;
  const tip = async () => must(forgelog.get(`${project}/repository/commits/topic`));
  return { forgelog, must, project, path, at, commit, suggest, apply, batch, shown, content, tip };
}

test('a suggestion is applied as a commit of whoever applies it, once', async () => {
  const { forgelog, must, project, suggest, apply, shown, content, tip, at } = await underReview();
  const reviewer = await createUser(forgelog, { username: 'ada', name: 'Ada' });
  const note = await suggest(
    `Like this:\n${block(':-1+1', 'NEW', 'NEWEST')}`,
    4,
    {},
    { token: reviewer.token },
  );
  const suggestion = {
    ...{ from_line: 3, to_line: 5, appliable: true, applied: false },
    ...{ from_content: lines('new', 'newer', 'three'), to_content: lines('NEW', 'NEWEST') },
  };
  expect(note.suggestions).toEqual([{ id: expect.any(Number), ...suggestion }]);
  const [one] = note.suggestions;
  const applied = { ...one, ...suggestion, appliable: false, applied: true };
  expect(await apply(one)).toMatchObject({ status: 200, body: applied });
  expect(await content()).toBe(lines('one', 'two', 'NEW', 'NEWEST'));
  expect(await tip()).toMatchObject({
    ...{ author_name: 'Administrator', committer_name: 'Administrator' },
    message: `Apply 1 suggestion(s) to 1 file(s)\n\nCo-authored-by: Ada <${reviewer.id}-ada@users.noreply.127.0.0.1>`,
  });
  expect(await shown(note)).toMatchObject([{ applied: true, appliable: false }]);
  expect(await apply(one)).toMatchObject({
    status: 400,
    body: { message: "Can't apply this suggestion." },
  });
  const { sha } = await must(forgelog.get(at));
  expect(sha).toBe((await tip()).id);
  expect((await must(forgelog.get(`${project}/repository/commits?ref_name=topic`))).length).toBe(3);
});

test('several are applied at once, by the template of the project', async () => {
  const { suggest, batch, content, tip, path } = await underReview({
    suggestion_commit_message: '%{suggestions_count} to %{file_paths} of %{project_path} by %{username}',
  });
  const first = await suggest(block('', 'ONE', 'ONE AND A HALF'), 1, { old_line: 1 });
  const second = await suggest(`${block(':-0+1')}\nor\n${block('', 'other')}`, 3);
  const chosen = [first.suggestions[0]!, second.suggestions[0]!];
  const before = await tip();
  expect(await batch([...chosen, second.suggestions[1]!])).toMatchObject({
    status: 400,
    body: { message: 'Suggestions are not applicable as their lines cannot overlap.' },
  });
  expect(await batch([...chosen, { id: 4711 }])).toMatchObject({ status: 404 });
  expect((await tip()).id).toBe(before.id);
  expect(await batch([...chosen, chosen[0]!])).toMatchObject({
    status: 200,
    body: [
      { id: chosen[0]!.id, applied: true },
      { id: chosen[1]!.id, applied: true },
    ],
  });
  expect(await content()).toBe(lines('ONE', 'ONE AND A HALF', 'two', 'three'));
  expect((await tip()).message).toBe(`2 to file.txt of ${path} by root`);
});

test('a message of the caller is taken', async () => {
  const { suggest, apply, tip } = await underReview();
  const { suggestions } = await suggest(block('', 'NEW'), 3);
  const commit_message = 'Shout in %{branch_name}';
  expect((await apply(suggestions[0], { commit_message })).status).toBe(200);
  expect((await tip()).message).toBe('Shout in topic');
});

test('a suggestion moves with its line, and is outdated once the line changes', async () => {
  const { suggest, apply, shown, commit, content } = await underReview();
  const onNew = await suggest(block('', 'NEW'), 3);
  const onNewer = await suggest(block(':-0+1', 'NEWER'), 4);
  await commit('topic', 'update', lines('zero', 'one', 'two', 'new', 'newer', 'THREE'));
  expect(await shown(onNew)).toMatchObject([{ from_line: 4, to_line: 4, appliable: true }]);
  expect(await shown(onNewer)).toMatchObject([{ appliable: false, applied: false }]);
  expect(await apply(onNewer.suggestions[0])).toMatchObject({
    status: 400,
    body: { message: "Can't apply as these lines were changed in a more recent version." },
  });
  expect((await apply(onNew.suggestions[0])).status).toBe(200);
  expect(await content()).toBe(lines('zero', 'one', 'two', 'NEW', 'newer', 'THREE'));
  const same = await suggest(block('', 'new'), 3);
  expect(same.suggestions).toMatchObject([{ appliable: false }]);
  expect(await apply(same.suggestions[0])).toMatchObject({
    body: { message: "Can't apply as this line was changed in a more recent version." },
  });
});

test('a removed line and the whole have no suggestions, and an edit makes others', async () => {
  const { forgelog, must, at, suggest, apply, commit, shown } = await underReview();
  const plain = await must(forgelog.post(`${at}/notes`, { body: block('', 'x') }));
  expect(plain).not.toHaveProperty('suggestions');
  const note = await suggest('No suggestion', 3);
  expect(note.suggestions).toEqual([]);
  const edit = (body: string) =>
    must(forgelog.put(`${at}/discussions/${note.discussion}/notes/${note.id}`, { body }));
  const [first] = (await edit(block('', 'NEW'))).suggestions;
  const [second] = (await edit(block('', 'EVIL'))).suggestions;
  expect(second.id).not.toBe(first.id);
  expect((await apply(first)).status).toBe(404);
  const reply = await must(
    forgelog.post(`${at}/discussions/${note.discussion}/notes`, { body: block('', 'new') }),
  );
  expect(await apply(reply.suggestions[0])).toMatchObject({
    status: 400,
    body: { message: 'This suggestion already matches its content.' },
  });
  await must(forgelog.delete(`${at}/discussions/${note.discussion}/notes/${note.id}`));
  expect((await apply(second)).status).toBe(404);
  expect(await shown(reply)).toHaveLength(1);
  await commit('topic', 'update', lines('two', 'new', 'newer', 'three'));
  const { diff_refs } = await must(forgelog.get(at));
  const removed = await suggest(block('', 'x'), undefined, { ...diff_refs, old_line: 1 });
  expect(removed).toMatchObject({ position: { new_line: null, old_line: 1 }, suggestions: [] });
});

test('only who may push to the source branch applies, and only while the request is open', async () => {
  const { forgelog, must, project, at, suggest, apply, content, shown } = await underReview();
  const [reporter, developer] = [await createUser(forgelog), await createUser(forgelog)];
  await must(forgelog.post(`${project}/members`, { user_id: reporter.id, access_level: 20 }));
  await must(forgelog.post(`${project}/members`, { user_id: developer.id, access_level: 30 }));
  const stranger = await createUser(forgelog);
  const note = await suggest(block('', 'NEW'), 3);
  const [one] = note.suggestions;
  expect((await apply(one, {}, { token: null })).status).toBe(401);
  for (const { token } of [reporter, stranger]) expect((await apply(one, {}, { token })).status).toBe(403);
  await must(forgelog.post(`${project}/protected_branches`, { name: 'topic', push_access_level: 40 }));
  expect((await apply(one, {}, { token: developer.token })).status).toBe(403);
  await must(forgelog.delete(`${project}/protected_branches/topic`));
  await must(forgelog.put(project, { visibility: 'private' }));
  expect((await apply(one, {}, { token: stranger.token })).status).toBe(404);
  await must(forgelog.put(at, { state_event: 'close' }));
  expect(await apply(one)).toMatchObject({
    status: 400,
    body: {
      message: 'This merge request is closed. To apply this suggestion, edit this file directly.',
    },
  });
  await must(forgelog.put(at, { state_event: 'reopen' }));
  expect(await shown(note)).toMatchObject([{ appliable: true }]);
  expect((await apply(one, {}, { token: developer.token })).status).toBe(200);
  expect(await content()).toBe(lines('one', 'two', 'NEW', 'newer', 'three'));
  await must(forgelog.delete(`${project}/repository/branches/topic`));
  const late = await suggest(block('', 'NEWER'), 4);
  expect(await apply(late.suggestions[0])).toMatchObject({
    status: 400,
    body: { message: "Can't apply as the source branch was deleted." },
  });
});

test('of two callers at the same time one applies it, and the branch has one commit more', async () => {
  const { must, forgelog, project, suggest, apply } = await underReview();
  const { suggestions } = await suggest(block('', 'NEW'), 3);
  const replies = await Promise.all([1, 2, 3, 4].map(() => apply(suggestions[0])));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  expect((await must(forgelog.get(`${project}/repository/commits?ref_name=topic`))).length).toBe(3);
});
