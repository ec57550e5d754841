/** Forks that share their packs, whatever happens to either side. */
import { cpSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Repository } from './git.ts';
import { createFixture, type Fixture } from './testing/fixture.ts';
import { serveGit } from './testing/git-server.ts';
import { gitAsync, gitText } from './testing/stock-git.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const author = { name: 'Ann', email: 'ann@example.com', date: new Date('2021-09-20T06:06:12Z') };
const ZERO = '0'.repeat(40);
const SOUND = { ok: true, problems: [] };
const PACK_ALL = { looseObjects: 1, packs: 1 };

async function commit(repo: Repository, branch: string, content: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const old = await repo.readRef(ref);
  const action = { action: old ? 'update' : 'create', path: 'a/f', content: Buffer.from(content) } as const;
  const parents = old ? [old] : [];
  const { oid } = await repo.buildCommit({ parents, actions: [action], author, message: `${content}\n` });
  await repo.updateRefs([{ ref, oldOid: old ?? ZERO, newOid: oid }]);
  return oid;
}

async function forkOf(source: Repository, name: string): Promise<Repository> {
  const fork = fixture.git.repository(name);
  await fork.forkFrom(source, { branch: 'main', refs: await source.readRefs() });
  return fork;
}

const packs = ({ gitDir }: Repository) =>
  new Map(
    readdirSync(join(gitDir, 'objects/pack')).map((name) => [
      name,
      statSync(join(gitDir, 'objects/pack', name)).ino,
    ]),
  );
const objectsOf = ({ gitDir }: Repository) =>
  gitText(gitDir, ['cat-file', '--batch-all-objects', '--batch-check', '--unordered']).split('\n').sort();
const folderOf = ({ gitDir }: Repository) => readdirSync(dirname(gitDir));

/** A repository with two packs, a commit graph and loose objects. */
async function origin(name: string): Promise<Repository> {
  const repo = await fixture.empty(name);
  for (const content of ['one', 'two']) {
    await commit(repo, 'main', content);
    await repo.pack({ looseObjects: 1, packs: 50 });
  }
  await commit(repo, 'side', 'three');
  gitText(repo.gitDir, ['tag', '-a', 'v1', '-m', 'First', 'main']);
  return repo;
}

test('a fork has all of its origin, and the same packs on the disk', async () => {
  const source = await origin('whole.git');
  const fork = await forkOf(source, 'whole-fork.git');
  expect(objectsOf(fork)).toEqual(objectsOf(source));
  expect(await fork.readRefs()).toEqual(await source.readRefs());
  expect([...packs(fork)]).toEqual(expect.arrayContaining([...packs(source)]));
  // Of the loose objects there is one pack.
  expect(await fork.diskUse()).toMatchObject({ looseObjects: 0, packs: 3 });
  expect(await fork.fsck()).toEqual(SOUND);
  gitText(fork.gitDir, ['commit-graph', 'verify']);
  expect(await fork.strays()).toEqual([]);
  expect(await fork.damage()).toEqual([]);
  expect(await fork.defaultBranch()).toBe('main');
  await commit(fork, 'main', 'of the fork');
  expect(await source.readRef('refs/heads/main')).not.toBe(await fork.readRef('refs/heads/main'));
});

test('what is on no branch is in the fork as it is in the origin, which any reader may fetch it from', async () => {
  const source = await origin('dropped.git');
  const dropped = await commit(source, 'dropped', 'dropped');
  await source.updateRefs([{ ref: 'refs/heads/dropped', oldOid: dropped, newOid: ZERO }]);
  const fork = await forkOf(source, 'dropped-fork.git');
  expect((await fork.commit(dropped))?.id).toBe(dropped);
  expect(await fork.readRef('refs/heads/dropped')).toBeUndefined();
});

test('an empty repository has an empty fork, and a fork is made once', async () => {
  const source = await fixture.empty('empty.git');
  const fork = await forkOf(source, 'empty-fork.git');
  expect(await fork.readRefs()).toEqual(new Map());
  expect(await fork.fsck()).toEqual(SOUND);
  await commit(fork, 'main', 'one');
  await expect(forkOf(source, 'empty-fork.git')).rejects.toMatchObject({ code: 'repository_exists' });
  await expect(forkOf(fixture.git.repository('none.git'), 'of-none.git')).rejects.toMatchObject({
    code: 'ENOENT',
  });
  expect(folderOf(fork).filter((name) => /^(empty-fork|of-none)\.git.+/.test(name))).toEqual([]);
});

test('neither side notices what becomes of the other', async () => {
  const source = await origin('apart.git');
  const [one, two, three] = await Promise.all(['1', '2', '3'].map((at) => forkOf(source, `apart-${at}.git`)));
  const before = objectsOf(source);
  // An operator's git, which rewrites everything and drops what nothing refers to.
  gitText(one!.gitDir, ['update-ref', '-d', 'refs/heads/side']);
  gitText(one!.gitDir, ['gc', '-q', '--prune=now']);
  await commit(two!, 'main', 'of the fork');
  await two!.pack(PACK_ALL);
  expect(objectsOf(source)).toEqual(before);
  expect(objectsOf(three!)).toEqual(before);
  await source.remove();
  for (const fork of [one!, two!, three!]) {
    expect(await fork.fsck()).toEqual(SOUND);
    const clone = join(fixture.root, `clone-${fork.gitDir.slice(-5, -4)}`);
    gitText(fixture.root, ['clone', '-q', '--no-local', '--bare', fork.gitDir, clone]);
    expect(gitText(clone, ['rev-parse', 'main'])).toBe(await fork.readRef('refs/heads/main'));
  }
  expect(objectsOf(three!)).toEqual(before);
});

test('a fork that is made while the origin is packed, committed to and pushed to is whole', async () => {
  const source = await origin('busy.git');
  const server = await serveGit(source);
  const work = join(fixture.root, 'busy');
  gitText(fixture.root, ['init', '-q', '-b', 'pushed', 'busy']);
  let isOver = false;
  const until = async (turn: (at: number) => Promise<unknown>) => {
    for (let at = 0; !isOver; at += 1) await turn(at);
  };
  const packing = until(() => source.pack(PACK_ALL));
  const committing = until((at) => commit(source, 'main', `main ${at}`));
  const pushing = until(async (at) => {
    for (let file = 0; file < 120; file += 1) writeFileSync(join(work, `f${file}`), `${at} ${file}\n`);
    gitText(work, ['add', '-A']);
    gitText(work, ['commit', '-q', '-m', `${at}`]);
    expect(await gitAsync(work, ['push', '-q', server.url, 'pushed'])).toMatchObject({ code: 0 });
  });
  for (let at = 0; at < 12; at += 1) {
    const fork = await forkOf(source, `busy-${at}.git`);
    expect(await fork.fsck()).toEqual(SOUND);
    expect(await fork.strays()).toEqual([]);
    await fork.remove();
  }
  isOver = true;
  await Promise.all([packing, committing, pushing]);
  await server.close();
  expect(await source.fsck()).toEqual(SOUND);
});

const memory = '/dev/shm';
const isElsewhere = (statSync(memory, { throwIfNoEntry: false })?.dev ?? -1) !== statSync(tmpdir()).dev;

test.skipIf(!isElsewhere)('packs on another file system are copied (needs /dev/shm)', async () => {
  const source = await origin('elsewhere.git');
  const [folder, away] = [join(source.gitDir, 'objects/pack'), join(memory, `forgelog-${process.pid}`)];
  try {
    cpSync(folder, away, { recursive: true });
    rmSync(folder, { recursive: true });
    symlinkSync(away, folder);
    const fork = await forkOf(source, 'elsewhere-fork.git');
    expect([...packs(fork).keys()]).toEqual(expect.arrayContaining([...packs(source).keys()]));
    expect(await fork.fsck()).toEqual(SOUND);
  } finally {
    rmSync(away, { recursive: true });
  }
});

type Step = readonly ['fork' | 'push' | 'drop' | 'pack' | 'gc' | 'remove', number];
const steps = fc.array(
  fc.tuple(
    fc.constantFrom('fork', 'fork', 'push', 'push', 'push', 'drop', 'pack', 'pack', 'gc', 'remove'),
    fc.nat(100),
  ),
  { minLength: 6, maxLength: 14 },
) as fc.Arbitrary<Step[]>;

test('any forks, pushes, deletions and packings leave every repository with all of its own', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (planned) => {
      runs += 1;
      const alive: { repo: Repository; refs: Map<string, string> }[] = [];
      const first = await fixture.empty(`any-${runs}.git`);
      alive.push({ repo: first, refs: new Map([['refs/heads/main', await commit(first, 'main', 'begin')]]) });
      for (const [at, [step, which]] of planned.entries()) {
        const { repo, refs } = alive[which % alive.length]!;
        if (step === 'fork')
          alive.push({ repo: await forkOf(repo, `any-${runs}-${at}.git`), refs: new Map(refs) });
        else if (step === 'push') {
          const branch = which % 2 === 0 ? 'main' : `b${which % 3}`;
          refs.set(`refs/heads/${branch}`, await commit(repo, branch, `${runs} ${at}`));
        } else if (step === 'drop') {
          for (const [ref, oid] of [...refs].slice(1)) {
            await repo.updateRefs([{ ref, oldOid: oid, newOid: ZERO }]);
            refs.delete(ref);
          }
        } else if (step === 'pack') await repo.pack(PACK_ALL);
        else if (step === 'gc') gitText(repo.gitDir, ['gc', '-q', '--prune=now']);
        else if (alive.length > 1) {
          await repo.remove();
          alive.splice(which % alive.length, 1);
        }
      }
      for (const { repo, refs } of alive) {
        expect(await repo.readRefs()).toEqual(refs);
        expect(await repo.fsck()).toEqual(SOUND);
        const clone = `${repo.gitDir}-clone`;
        gitText(fixture.root, ['clone', '-q', '--no-local', '--mirror', repo.gitDir, clone]);
        expect(gitText(clone, ['for-each-ref', '--format=%(refname) %(objectname)']).split('\n')).toEqual(
          [...refs].map((pair) => pair.join(' ')).sort(),
        );
        rmSync(clone, { recursive: true });
        await repo.remove();
      }
    }),
    { numRuns: 8 },
  );
}, 120_000);
