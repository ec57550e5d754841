/** Compares lists of refs with git's after every kind of write. */
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Repository } from '../git.ts';
import { ZERO_OID } from '../objects/object-id.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { gitText } from '../testing/stock-git.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

/** Names that are hard to sort: folders beside names, bytes below `/`, and code points beyond the BMP. */
const NAMES = ['a', 'a-b', 'b/c', 'b/c-d', 'b/e/f', 'b.g', 'h', 'ü', '\uffee', '🎉'].map(
  (name) => `refs/heads/${name}`,
);
/** Milliseconds until a write of another process is seen. */
const UNSEEN_MS = 15;

const git = (repo: Repository, ...args: string[]) => gitText(repo.gitDir, args);
const listed = async (repo: Repository) => (await repo.listRefs()).map(({ ref, oid }) => `${oid} ${ref}`);
const byGit = (repo: Repository) =>
  git(repo, 'for-each-ref', '--format=%(objectname) %(refname)').split('\n').filter(Boolean);

async function repositoryOf(name: string, commits: number) {
  const repo = await fixture.empty(name);
  const tree = git(repo, 'mktree', '--missing', '-z');
  const ids: string[] = [];
  for (let at = 0; at < commits; at += 1) {
    const parent = at === 0 ? [] : ['-p', ids[at - 1]!];
    ids.push(git(repo, 'commit-tree', '-m', `commit ${at}`, ...parent, tree));
  }
  return { repo, ids };
}

describe('a list of refs', () => {
  test('equals what git lists after any sequence of our own and foreign writes', async () => {
    const { repo, ids } = await repositoryOf('any-order', 3);
    const step = fc.record({
      by: fc.constantFrom('us', 'git', 'pack' as const),
      name: fc.constantFrom(...NAMES),
      to: fc.constantFrom(...ids, ZERO_OID),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { by, name, to } of steps) {
          const now = (await repo.readRef(name)) ?? ZERO_OID;
          if (by === 'pack') git(repo, 'pack-refs', '--all');
          else if (to === now) continue;
          else if (by === 'us') await repo.updateRefs([{ ref: name, oldOid: now, newOid: to }]);
          else if (to === ZERO_OID) git(repo, 'update-ref', '-d', name);
          else git(repo, 'update-ref', name, to);
          if (by !== 'us') await setTimeout(UNSEEN_MS);
          expect(await listed(repo)).toEqual(byGit(repo));
        }
      }),
      { numRuns: 12 },
    );
  });

  test('shows a ref before or after its move under concurrent reads', async () => {
    const { repo, ids } = await repositoryOf('crowded', 30);
    let done = false;
    const crowd = Array.from({ length: 4 }, async () => {
      while (!done) {
        await listed(repo);
        await setTimeout(1);
      }
    });
    let old = ZERO_OID;
    for (const oid of ids) {
      const vote = async () => {
        const seen = (await repo.listRefs('refs/heads/')).find(({ ref }) => ref === NAMES[0]);
        expect(seen?.oid ?? ZERO_OID).toBe(old);
      };
      await repo.updateRefs([{ ref: NAMES[0]!, oldOid: old, newOid: oid }], vote);
      expect(await listed(repo)).toEqual([`${oid} ${NAMES[0]}`]);
      old = oid;
    }
    done = true;
    await Promise.all(crowd);
  });

  test('is right during and after a bulk move above the patch limit', async () => {
    const { repo, ids } = await repositoryOf('many', 2);
    const refs = Array.from({ length: 600 }, (_, at) => `refs/tags/v${at}`);
    const [first, second] = ids as [string, string];
    await listed(repo);
    for (const [oldOid, newOid] of [
      [ZERO_OID, first],
      [first, second],
      [second, ZERO_OID],
    ] as const) {
      const before = await listed(repo);
      await repo.updateRefs(
        refs.map((ref) => ({ ref, oldOid, newOid })),
        async () => expect(await listed(repo)).toEqual(before),
      );
      expect(await listed(repo)).toEqual(byGit(repo));
    }
  });

  test('is the same array until a ref moves', async () => {
    const { repo, ids } = await repositoryOf('same', 2);
    await repo.updateRefs([{ ref: 'refs/heads/a', oldOid: ZERO_OID, newOid: ids[0]! }]);
    const branches = await repo.listRefs('refs/heads/');
    const tags = await repo.listRefs('refs/tags/');
    await repo.updateRefs([{ ref: 'refs/tags/v1', oldOid: ZERO_OID, newOid: ids[0]! }]);
    expect(await repo.listRefs('refs/heads/')).toBe(branches);
    expect(await repo.listRefs('refs/tags/')).not.toBe(tags);
    git(repo, 'pack-refs', '--all');
    await setTimeout(UNSEEN_MS);
    expect(await repo.listRefs('refs/heads/')).toBe(branches);
  });

  test('is empty once the repository is removed', async () => {
    const { repo, ids } = await repositoryOf('gone', 1);
    await repo.updateRefs([{ ref: 'refs/heads/a', oldOid: ZERO_OID, newOid: ids[0]! }]);
    expect(await listed(repo)).toHaveLength(1);
    await repo.remove();
    expect(await listed(repo)).toEqual([]);
  });
});

describe('what is merged', () => {
  test('equals what git says after a fast-forward, a merge and a reset of the branch', async () => {
    const { repo, ids } = await repositoryOf('merged', 6);
    const tree = git(repo, 'rev-parse', `${ids[0]}^{tree}`);
    const side = git(repo, 'commit-tree', '-m', 'side', '-p', ids[1]!, tree);
    const merge = git(repo, 'commit-tree', '-m', 'merge', '-p', ids[3]!, '-p', side, tree);
    const apart = git(repo, 'commit-tree', '-m', 'apart', tree);
    const all = [...ids, side, merge, apart];
    for (const [at, oid] of all.entries()) git(repo, 'update-ref', `refs/heads/branch-${at}`, oid);
    await setTimeout(UNSEEN_MS);
    for (const tip of [ids[2]!, ids[3]!, ids[5]!, ids[1]!, merge, apart, ids[4]!]) {
      const expected = git(repo, 'for-each-ref', `--merged=${tip}`, '--format=%(objectname)').split('\n');
      // A page first, then all.
      for (const asked of [all.slice(0, 2), [tip], all.slice(4, 7), all])
        expect([...(await repo.mergedInto(asked, tip))].sort()).toEqual(
          asked.filter((oid) => expected.includes(oid)).sort(),
        );
    }
  });

  test('needs no process on a cache hit, nor after a fast-forward', async () => {
    const { repo, ids } = await repositoryOf('known', 4);
    await repo.mergedInto([ids[0]!, ids[3]!], ids[1]!);
    let started = 0;
    const watch = setInterval(() => {
      started = Math.max(started, fixture.git.load().walk.running);
    }, 0);
    const before = repo.mergedInto([ids[0]!, ids[3]!], ids[1]!);
    expect(fixture.git.load().walk.running).toBe(0);
    expect(await before).toEqual(new Set([ids[0]]));
    expect(await repo.mergedInto([ids[0]!, ids[3]!], ids[2]!)).toEqual(new Set([ids[0]]));
    expect(await repo.mergedInto([ids[0]!, ids[3]!], ids[3]!)).toEqual(new Set([ids[0], ids[3]]));
    clearInterval(watch);
    expect(started).toBe(0);
  });
});

test('refs by age are sorted by commit time, then by name, and follow moves', async () => {
  const { repo } = await repositoryOf('ages', 1);
  const tree = git(repo, 'mktree', '--missing', '-z');
  const at = (seconds: number) =>
    gitText(repo.gitDir, ['commit-tree', '-m', `${seconds}`, tree], {
      env: { GIT_COMMITTER_DATE: `${seconds} +0000` },
    });
  const commits = [5, 3, 9, 3].map((seconds) => at(1_000_000_000 + seconds));
  const names = () => repo.refsByAge('refs/tags/').then((refs) => refs.map(({ ref }) => ref.slice(10)));
  for (const [index, oid] of commits.entries())
    await repo.updateRefs([{ ref: `refs/tags/v${index}`, oldOid: ZERO_OID, newOid: oid }]);
  git(repo, 'tag', '-a', '-m', 'annotated', 'w', commits[0]!);
  git(repo, 'tag', 'x-tree', tree);
  await setTimeout(UNSEEN_MS);
  expect(await names()).toEqual(['x-tree', 'v1', 'v3', 'v0', 'w', 'v2']);
  await repo.updateRefs([{ ref: 'refs/tags/v2', oldOid: commits[2]!, newOid: at(1_000_000_001) }]);
  expect(await names()).toEqual(['x-tree', 'v2', 'v1', 'v3', 'v0', 'w']);
  await repo.updateRefs([{ ref: 'refs/tags/v1', oldOid: commits[1]!, newOid: ZERO_OID }]);
  expect(await names()).toEqual(['x-tree', 'v2', 'v3', 'v0', 'w']);
});
