import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { gitText } from '../testing/stock-git.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

let count = 0;

/** A repository with a work tree, whose branches are its own. */
async function workTree() {
  const name = `brought-${++count}.git`;
  const repo = await fixture.empty(name);
  const work = join(fixture.root, `tree-${count}`);
  mkdirSync(work);
  const local = (...args: string[]) => gitText(work, [`--git-dir=${repo.gitDir}`, '--work-tree=.', ...args]);
  const commit = (files: Record<string, string>) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      writeFileSync(join(work, path), content);
    }
    local('add', '-A');
    local('commit', '-q', '--allow-empty', '-m', 'Change');
    return local('rev-parse', 'HEAD');
  };
  return { repo, work, local, commit };
}

test('commits of branches are not new, those of tags and of nothing are', async () => {
  const { repo, local, commit } = await workTree();
  const first = commit({ a: '1' });
  const second = commit({ a: '2' });
  local('tag', 'known');
  const third = commit({ a: '3' });
  local('update-ref', 'refs/heads/main', first);
  expect(await repo.newCommits([third, second], 10)).toEqual([third, second]);
  expect(await repo.newCommits([third], 1)).toEqual([third]);
  local('update-ref', 'refs/heads/other', second);
  expect(await repo.newCommits([third], 10)).toEqual([third]);
  expect(await repo.newCommits([first], 10)).toEqual([]);
});

test('added, changed and renamed files are told, deleted ones are not, and odd names come as they are', async () => {
  const { repo, work, local, commit } = await workTree();
  const first = commit({ a: '1', 'b/c': '2' });
  expect(await repo.broughtFiles([first])).toEqual([
    { commit: first, path: 'a', blob: local('rev-parse', 'HEAD:a'), isAdded: true },
    { commit: first, path: 'b/c', blob: local('rev-parse', 'HEAD:b/c'), isAdded: true },
  ]);
  renameSync(join(work, 'a'), join(work, ':new\nname: "é'));
  const second = commit({ 'b/c': 'changed' });
  expect(await repo.broughtFiles([second, first])).toMatchObject([
    { commit: second, path: ':new\nname: "é', isAdded: true },
    { commit: second, path: 'b/c', isAdded: false },
    { commit: first, path: 'a' },
    { commit: first, path: 'b/c' },
  ]);
  const empty = commit({});
  expect(await repo.broughtFiles([empty])).toEqual([]);
});

test('a merge brings what differs from all of its parents', async () => {
  const { repo, local, commit } = await workTree();
  const base = commit({ a: '1' });
  local('checkout', '-q', '-b', 'side');
  commit({ side: 's' });
  local('checkout', '-q', 'main');
  commit({ main: 'm' });
  local('merge', '-q', '--no-commit', 'side');
  const merge = commit({ evil: 'key', a: 'both' });
  expect(local('rev-list', '--parents', '-1', merge).split(' ')).toHaveLength(3);
  const brought = await repo.broughtFiles([merge]);
  expect(brought).toMatchObject([
    { path: 'a', isAdded: false },
    { path: 'evil', isAdded: true, blob: local('rev-parse', `${merge}:evil`) },
  ]);
  expect(await repo.newCommits([base], 10)).toEqual([]);
});

test('a submodule is a name without content', async () => {
  const { repo, local } = await workTree();
  local('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  local('commit', '-q', '-m', 'Add a submodule');
  const commit = local('rev-parse', 'HEAD');
  expect(await repo.broughtFiles([commit])).toEqual([{ commit, path: 'sub', blob: null, isAdded: true }]);
});
