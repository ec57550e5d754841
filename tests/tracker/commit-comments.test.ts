import { expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { forgelogForTest } from '../support/forgelog.ts';

const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');

/** A project whose second commit adds a line, removes one, and gives a file another name. */
async function commented() {
  const forgelog = await forgelogForTest();
  const must = async (call: ReturnType<typeof forgelog.call>) => {
    const reply = await call;
    expect([reply.status, reply.text]).toEqual([expect.toSatisfy((status) => status < 300), reply.text]);
    return reply.body;
  };
  const { id } = await must(forgelog.post('/projects', { name: 'commented', visibility: 'public' }));
  const project = `/projects/${id}`;
  const commit = async (...actions: object[]): Promise<string> =>
    (
      await must(
        forgelog.post(`${project}/repository/commits`, { branch: 'main', commit_message: 'Change', actions }),
      )
    ).id;
  const long = lines(...Array.from({ length: 20 }, (_, at) => `line ${at}`));
  const first = await commit(
    { action: 'create', file_path: 'a.txt', content: lines('one', 'two', 'three') },
    { action: 'create', file_path: 'old.txt', content: long },
  );
  const second = await commit(
    { action: 'update', file_path: 'a.txt', content: lines('one', 'three', 'four') },
    { action: 'move', previous_path: 'old.txt', file_path: 'new.txt', content: `${long}last\n` },
  );
  const at = (sha: string) => `${project}/repository/commits/${sha}`;
  const member = await createUser(forgelog, { username: 'ada' });
  return { forgelog, must, project, first, second, at, member };
}

test('comments are on a commit, or on a line that it added or removed', async () => {
  const { forgelog, must, first, second, at } = await commented();
  const comment = (given: object, sha = second) => forgelog.post(`${at(sha)}/comments`, given);
  const whole = { path: null, line: null, line_type: null, author: { id: 1 } };
  expect(await comment({ note: 'Well' }, second.slice(0, 9))).toMatchObject({
    status: 201,
    body: { note: 'Well', ...whole, created_at: expect.any(String) },
  });
  const added = { note: 'Why?', path: 'a.txt', line: 3 };
  expect((await comment(added)).body).toMatchObject({ ...added, line_type: 'new' });
  const removed = { note: 'Really?', path: 'a.txt', line: 2, line_type: 'old' };
  expect((await comment(removed)).body).toMatchObject(removed);
  const renamed = { note: 'New', path: 'new.txt', line: 21, line_type: 'new' };
  expect((await comment(renamed)).body).toMatchObject(renamed);
  const inFirst = { note: 'First', path: 'a.txt', line: 1, line_type: 'new' };
  expect((await comment(inFirst, first)).body).toMatchObject(inFirst);
  const list = await must(forgelog.get(`${at('main')}/comments`));
  expect(list.map(({ note }: { note: string }) => note)).toEqual(['Well', 'Why?', 'Really?', 'New']);
  expect(await must(forgelog.get(`${at(first)}/comments`))).toMatchObject([inFirst]);
});

test('what is no line of the commit, and no commit, is refused, and nothing is said', async () => {
  const { forgelog, must, second, at } = await commented();
  const refused: [object, number, RegExp][] = [
    [{ note: ' ' }, 400, /can't be blank/],
    [{}, 400, /note is missing/],
    [{ note: 'x', path: 'a.txt' }, 400, /line is missing/],
    [{ note: 'x', path: 'a.txt', line: 1 }, 400, /must be a valid line code/],
    [{ note: 'x', path: 'a.txt', line: 3, line_type: 'old' }, 400, /must be a valid line code/],
    [{ note: 'x', path: 'missing.txt', line: 1 }, 400, /must be a valid line code/],
    [{ note: 'x', path: 'a.txt', line: 0 }, 400, /line/],
    [{ note: 'x', path: 'a.txt', line: 3, line_type: 'left' }, 400, /line_type/],
  ];
  for (const [given, status, text] of refused) {
    const reply = await forgelog.post(`${at(second)}/comments`, given);
    expect([given, reply.status, reply.text]).toEqual([given, status, expect.stringMatching(text)]);
  }
  const missing = { status: 404, body: { message: '404 Commit Not Found' } };
  expect(await forgelog.post(`${at('f'.repeat(40))}/comments`, { note: 'x' })).toMatchObject(missing);
  expect(await forgelog.get(`${at('missing')}/discussions`)).toMatchObject(missing);
  expect(await must(forgelog.get(`${at(second)}/comments`))).toEqual([]);
});

test('a discussion of a commit has replies, which their authors change and delete', async () => {
  const { forgelog, must, project, first, second, at, member } = await commented();
  const by = { token: member.token };
  const position = {
    ...{ base_sha: first, start_sha: first, head_sha: second, position_type: 'text' },
    ...{ new_path: 'a.txt', old_path: 'a.txt', new_line: 3 },
  };
  const begun = await must(
    forgelog.post(`${at(second)}/discussions`, { body: 'Why?\n/close', position }, by),
  );
  const onCommit = {
    ...{ noteable_type: 'Commit', noteable_id: null, noteable_iid: null, commit_id: second },
    resolvable: false,
  };
  expect(begun).toMatchObject({
    individual_note: false,
    notes: [
      { ...onCommit, type: 'DiffNote', body: 'Why?\n/close', position: { head_sha: second, new_line: 3 } },
    ],
  });
  const one = `${at(second)}/discussions/${begun.id}`;
  const reply = await must(forgelog.post(`${one}/notes`, { body: 'So' }));
  expect(reply).toMatchObject({ ...onCommit, body: 'So', author: { id: 1 } });
  const edited = { body: 'So it is' };
  expect((await forgelog.put(`${one}/notes/${reply.id}`, edited, by)).status).toBe(403);
  expect(await must(forgelog.put(`${one}/notes/${reply.id}`, edited))).toMatchObject(edited);
  expect(await must(forgelog.get(`${one}/notes/${reply.id}`))).toMatchObject(edited);
  // By another name of the commit it is the same discussion; of another commit it is none.
  expect((await must(forgelog.get(`${at('main')}/discussions`))).map(({ id }: { id: string }) => id)).toEqual(
    [begun.id],
  );
  expect((await forgelog.get(`${at(first)}/discussions/${begun.id}`)).status).toBe(404);
  expect(await must(forgelog.get(`${at(first)}/discussions`))).toEqual([]);
  const elsewhere = { ...position, head_sha: first };
  const refused = await forgelog.post(`${at(second)}/discussions`, { body: 'x', position: elsewhere });
  expect(refused.status).toBe(400);
  const told = await must(forgelog.get(`${project}/events?action=commented`));
  expect(told).toMatchObject([
    { action_name: 'commented on', target_type: 'Note', note: { body: 'So it is', noteable_type: 'Commit' } },
    { action_name: 'commented on', author: { id: member.id } },
  ]);
  await must(forgelog.delete(`${one}/notes/${reply.id}`));
  await must(forgelog.delete(`${one}/notes/${begun.notes[0].id}`, by));
  expect((await forgelog.get(one)).status).toBe(404);
  expect(await must(forgelog.get(`${at(second)}/comments`))).toEqual([]);
});

test('a fork has the commits of its origin, and not what was said of them', async () => {
  const { forgelog, must, project, second, at, member } = await commented();
  await must(forgelog.post(`${at(second)}/comments`, { note: 'Of the origin' }));
  const fork = await must(forgelog.post(`${project}/fork`, {}, { token: member.token }));
  const there = `/projects/${fork.id}/repository/commits/${second}/comments`;
  await expect.poll(async () => (await forgelog.get(there)).status).toBe(200);
  expect((await forgelog.get(there)).body).toEqual([]);
});
