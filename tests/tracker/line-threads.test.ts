import { expect, test } from 'vitest';
import { forgelogForTest } from '../support/forgelog.ts';

const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');

/** A merge request that adds the line `new` to the three lines of `file.txt`. */
async function underReview() {
  const forgelog = await forgelogForTest();
  const must = async (call: ReturnType<typeof forgelog.call>) => {
    const reply = await call;
    expect([reply.status, reply.text]).toEqual([expect.toSatisfy((status) => status < 300), reply.text]);
    return reply.body;
  };
  const { id } = await must(forgelog.post('/projects', { name: 'reviewed' }));
  const project = `/projects/${id}`;
  const commit = async (branch: string, action: string, content: string, more: object = {}) =>
    must(
      forgelog.post(`${project}/repository/commits`, {
        ...{ branch, commit_message: 'Change', ...more },
        actions: [{ action, file_path: 'file.txt', content }],
      }),
    );
  await commit('main', 'create', lines('one', 'two', 'three'));
  await commit('topic', 'update', lines('one', 'two', 'new', 'three'), { start_branch: 'main' });
  const request = { source_branch: 'topic', target_branch: 'main', title: 'Review' };
  const { iid, diff_refs } = await must(forgelog.post(`${project}/merge_requests`, request));
  const at = `${project}/merge_requests/${iid}`;
  const comment = async (position: object) =>
    must(
      forgelog.post(`${at}/discussions`, {
        body: 'Why?',
        position: { ...diff_refs, position_type: 'text', new_path: 'file.txt', ...position },
      }),
    );
  const positionOf = async (discussion: string) =>
    (await must(forgelog.get(`${at}/discussions/${discussion}`))).notes[0].position;
  return { forgelog, must, at, commit, comment, positionOf, diffRefs: diff_refs };
}

test('threads stay at their lines while the code moves, and keep their beginning when a line goes', async () => {
  const { commit, comment, positionOf, diffRefs } = await underReview();
  const onNew = (await comment({ new_line: 3 })).id;
  const onThree = (await comment({ old_line: 3, new_line: 4 })).id;
  expect(await positionOf(onNew)).toMatchObject({ ...diffRefs, new_line: 3, old_line: null });

  const { id: moved } = await commit('topic', 'update', lines('zero', 'one', 'two', 'new', 'three'));
  expect(await positionOf(onNew)).toMatchObject({ head_sha: moved, new_line: 4, old_line: null });
  expect(await positionOf(onThree)).toMatchObject({ head_sha: moved, new_line: 5, old_line: 3 });

  const { id: changed } = await commit('topic', 'update', lines('zero', 'one', 'two', 'newer', 'three'));
  expect(await positionOf(onNew)).toMatchObject({ ...diffRefs, new_line: 3 });
  expect(await positionOf(onThree)).toMatchObject({ head_sha: changed, new_line: 5 });
});

test('a line that the diff does not have is refused', async () => {
  const { forgelog, at, diffRefs } = await underReview();
  const position = { ...diffRefs, position_type: 'text', new_path: 'file.txt', new_line: 1 };
  const reply = await forgelog.post(`${at}/discussions`, { body: 'Why?', position });
  expect(reply.status).toBe(400);
  expect(reply.body.message).toMatch(/must be a valid line code/);
});

test('the merge request says whether its threads are resolved', async () => {
  const { forgelog, must, at, comment } = await underReview();
  const isResolved = async () => (await must(forgelog.get(at))).blocking_discussions_resolved;
  expect(await isResolved()).toBe(true);
  const [first, second] = [await comment({ new_line: 3 }), await comment({ new_line: 3 })];
  const note = await must(forgelog.post(`${at}/notes`, { body: 'No question' }));
  expect(await isResolved()).toBe(false);
  await must(forgelog.put(`${at}/discussions/${first.id}`, { resolved: true }));
  expect(await isResolved()).toBe(false);
  await must(forgelog.delete(`${at}/discussions/${second.id}/notes/${second.notes[0].id}`));
  expect(await isResolved()).toBe(true);
  const list = await must(forgelog.get(`${at}/discussions`));
  const single = list.find(({ notes }: { notes: { id: number }[] }) => notes[0]!.id === note.id);
  await must(forgelog.post(`${at}/discussions/${single.id}/notes`, { body: 'But one' }));
  expect(await isResolved()).toBe(false);
});
