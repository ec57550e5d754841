import { expect, test } from 'vitest';
import { closedKeysIn, keysIn, mentionsIn } from './jira-mentions.ts';

test.each([
  ['Fix the crank, see ENG-1 and ENG-2, ENG-1', ['ENG-1', 'ENG-2'], []],
  ['closes ENG-1, A_B2-3 and see X1-9', ['ENG-1', 'A_B2-3', 'X1-9'], ['ENG-1', 'A_B2-3']],
  ['Fixes: issue ENG-7', ['ENG-7'], ['ENG-7']],
  ['Fixed ENG-8.', ['ENG-8'], ['ENG-8']],
  ['eng-1 E-1 ENG- xENG-1 A-ENG-1 encloses', [], []],
])('%j names %j and closes %j', (text, named, closed) => {
  expect(keysIn(text)).toEqual(named);
  expect(closedKeysIn(text)).toEqual(closed);
});

test('a hostile text takes no time', () => {
  for (const text of ['closes '.repeat(20_000), `closes ${'ENG-1, '.repeat(30_000)}`, 'A'.repeat(200_000)])
    expect(closedKeysIn(`${text}!`).length).toBeLessThan(2);
});

const project = { default_branch: 'main', path_with_namespace: 'engines/crank' };
const commit = { id: 'c'.repeat(40), title: 'Oil', message: 'Oil\n\nCloses ENG-1', url: 'https://forge/c' };
const push = { object_kind: 'push', ref: 'refs/heads/main', project, commits: [commit], user_name: 'Ada' };

test('commits of the default branch close, others name', () => {
  const said = { title: 'Oil', url: 'https://forge/c', what: 'commit cccccccc of engines/crank' };
  expect(mentionsIn([push])).toEqual([
    { key: 'ENG-1', isClosing: true, ...said, by: { name: 'Ada', username: null } },
  ]);
  expect(mentionsIn([{ ...push, ref: 'refs/heads/topic' }])).toMatchObject([{ isClosing: false }]);
  expect(mentionsIn([{ ...push, object_kind: 'tag_push' }])).toEqual([]);
  const many = Array.from({ length: 99 }, (_, at) => `AB-${at}`).join(' ');
  expect(mentionsIn([{ ...push, commits: [{ ...commit, message: many }] }])).toHaveLength(50);
});

test('merge requests name when they open or change their text, and close when they are merged', () => {
  const request = (action: string, changes: object = {}, target_branch = 'main') => ({
    ...{ object_kind: 'merge_request', project, user: { name: 'Ada', username: 'ada' }, changes },
    object_attributes: {
      ...{ action, target_branch, iid: 3, title: 'Oil', description: 'Fixes ENG-1', url: 'https://forge/m' },
    },
  });
  const closing = (...given: Parameters<typeof request>) =>
    mentionsIn([request(...given)]).map(({ isClosing }) => isClosing);
  expect(closing('open')).toEqual([false]);
  expect(closing('merge')).toEqual([true]);
  expect(closing('merge', {}, 'topic')).toEqual([false]);
  expect(closing('update', { description: {} })).toEqual([false]);
  expect(closing('update', { labels: {} })).toEqual([]);
  expect(closing('approved')).toEqual([]);
});
