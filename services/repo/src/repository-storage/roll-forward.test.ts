import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitFailedError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import { createFixture, type Fixture } from '@forgelog/git/testing/fixture.ts';
import { ann, START } from '@forgelog/git/testing/sample-changes.ts';
import { gitText } from '@forgelog/git/testing/stock-git.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RefTable } from './ref-table.ts';
import { rollForward } from './roll-forward.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const create = (ref: string, newOid: string): RefUpdate => ({ ref, oldOid: ZERO_OID, newOid });
const logOf = (refs: Record<string, string>) =>
  Object.entries(refs).reduce((table, [ref, oid]) => table.with(ref, oid), RefTable.EMPTY);

/** A repository with a history of three commits and no refs. */
async function withCommits(name: string) {
  const repository = await fixture.empty(`${name}.git`);
  const oids: string[] = [];
  for (const message of ['First\n', 'Second\n', 'Third\n']) {
    const actions = oids.length === 0 ? START : [];
    const commit = { parents: oids.slice(-1), actions, author: ann, message };
    oids.push((await repository.buildCommit(commit)).oid);
  }
  return { repository, oids: oids as [string, string, string] };
}

test('refs are moved to what the log says, once', async () => {
  const { repository, oids } = await withCommits('behind');
  const [first, second, third] = oids;
  await repository.updateRefs([
    create('refs/heads/main', first),
    create('refs/heads/gone', first),
    create('refs/heads/a', first),
    create('refs/tags/old', first),
    create('refs/pipelines/1', first),
  ]);
  gitText(repository.gitDir, ['pack-refs', '--all']);
  const lost = 'a'.repeat(40);
  const logged = async () =>
    logOf({
      'refs/heads/main': third,
      'refs/heads/a/b': second, // where `a` was
      'refs/heads/lost': lost,
      'refs/merge-requests/1/head': second,
    });
  const { moved, left } = await rollForward(repository, logged);
  expect(left).toEqual([
    {
      ref: 'refs/heads/lost',
      oid: lost,
      reason: expect.stringContaining('put its objects back from a backup'),
    },
  ]);
  expect(moved.map(({ ref }) => ref).sort()).toEqual([
    'refs/heads/a',
    'refs/heads/a/b',
    'refs/heads/gone',
    'refs/heads/main',
    'refs/merge-requests/1/head',
    'refs/tags/old',
  ]);
  const expected = new Map([
    ['refs/heads/a/b', second],
    ['refs/heads/main', third],
    ['refs/merge-requests/1/head', second],
    ['refs/pipelines/1', first],
  ]);
  expect(await repository.readRefs()).toEqual(expected);
  expect((await rollForward(repository, logged)).moved).toEqual([]);
});

test('a ref that git cannot move does not block the others', async () => {
  const { repository, oids } = await withCommits('one-bad');
  const names = Array.from({ length: 20 }, (_, at) => `refs/heads/branch-${at}`);
  const bad = 'refs/heads/branch-13';
  writeFileSync(join(repository.gitDir, bad), '');
  const logged = async () => logOf(Object.fromEntries(names.map((ref) => [ref, oids[0]])));
  const { moved, left } = await rollForward(repository, logged);
  expect(left).toEqual([{ ref: bad, oid: oids[0], reason: expect.stringContaining('npm run repair') }]);
  expect(moved).toHaveLength(19);
  const expected = new Map(names.filter((ref) => ref !== bad).map((ref) => [ref, oids[0]]));
  expect(await repository.readRefs()).toEqual(expected);
  rmSync(join(repository.gitDir, bad));
  expect(await rollForward(repository, logged)).toEqual({ moved: [create(bad, oids[0])], left: [] });
});

test('a repository where nothing can be moved is given up after a bounded number of attempts', async () => {
  let tries = 0;
  const broken = {
    readRefs: async () => new Map(),
    objects: { info: async () => ({ type: 'commit', size: 1 }) },
    updateRefs: async () => {
      tries += 1;
      throw new GitFailedError('update-ref', 128, 'fatal: not a git repository');
    },
  } as unknown as Repository;
  const names = Array.from({ length: 3000 }, (_, at) => `refs/heads/branch-${at}`);
  const logged = async () => logOf(Object.fromEntries(names.map((ref) => [ref, '1'.repeat(40)])));
  const { left } = await rollForward(broken, logged);
  expect(left).toHaveLength(3000);
  expect(left[0]!.reason).toContain('not a git repository');
  expect(tries).toBeLessThan(200);
});

test('a ref that moved in the log meanwhile ends up at its newest id', async () => {
  const { repository, oids } = await withCommits('meanwhile');
  const [first, second] = oids;
  let asked = 0;
  const logged = async () => logOf({ 'refs/heads/main': asked++ === 0 ? first : second });
  expect((await rollForward(repository, logged)).left).toEqual([]);
  expect(await repository.readRef('refs/heads/main')).toBe(second);
});
