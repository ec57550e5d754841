/** Packing while everything else goes on, and after it was broken off. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Repository } from '../git.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { serveGit } from '../testing/git-server.ts';
import { childrenOf } from '../testing/processes.ts';
import { gitAsync, gitText } from '../testing/stock-git.ts';
import { freePacks, isWithin, packsToGather } from './pack-files.ts';
import { createPacking } from './packing.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const author = { name: 'Ann', email: 'ann@example.com', date: new Date('2021-09-20T06:06:12Z') };
const ZERO = '0'.repeat(40);
const ANY = { looseObjects: 1, packs: 1 };
const SOUND = { ok: true, problems: [] };

/** Adds a commit to a branch through the engine, as the API does. */
async function commit(repo: Repository, branch: string, content: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const old = await repo.readRef(ref);
  const action = {
    action: old ? 'update' : 'create',
    path: 'deep/er/f',
    content: Buffer.from(content),
  } as const;
  const parents = old ? [old] : [];
  const { oid } = await repo.buildCommit({ parents, actions: [action], author, message: `${content}\n` });
  await repo.updateRefs([{ ref, oldOid: old ?? ZERO, newOid: oid }]);
  return oid;
}

const allObjects = (repo: Repository) =>
  gitText(repo.gitDir, ['cat-file', '--batch-all-objects', '--batch-check', '--unordered'])
    .split('\n')
    .sort();
const packFiles = (repo: Repository) => readdirSync(join(repo.gitDir, 'objects/pack')).sort();

/** A loose object that no git comes to the end of reading: whoever packs it waits. */
function addEndless(repo: Repository): { path: string } {
  const path = join(repo.gitDir, 'objects/aa', 'b'.repeat(38));
  mkdirSync(join(path, '..'), { recursive: true });
  execFileSync('mkfifo', [path]);
  return { path };
}

async function packingChild(): Promise<number> {
  const supervisor = await fixture.git.supervisorPid();
  const found = () => childrenOf(supervisor).find(({ command }) => command.includes('tmp_objdir-packing-'));
  return (await vi.waitUntil(found, { timeout: 60_000, interval: 5 })).pid;
}

describe('packing', () => {
  test('takes all loose objects into one pack, those included that nothing refers to', async () => {
    const repo = await fixture.empty('loose.git');
    const tip = [await commit(repo, 'main', 'one'), await commit(repo, 'main', 'two')].at(-1)!;
    const lost = gitText(repo.gitDir, ['hash-object', '-w', '--stdin'], { input: 'nothing refers to this' });
    const before = allObjects(repo);
    expect(await repo.diskUse()).toMatchObject({ looseObjects: before.length, packs: 0 });
    expect(await repo.pack({ looseObjects: before.length, packs: 50 })).toEqual({
      looseObjects: before.length,
      packs: 0,
    });
    expect(await repo.diskUse()).toMatchObject({ looseObjects: 0, packs: 1 });
    expect(allObjects(repo)).toEqual(before);
    expect(gitText(repo.gitDir, ['cat-file', '-p', lost])).toBe('nothing refers to this');
    expect(await repo.strays()).toEqual([]);
    expect(await repo.fsck()).toEqual(SOUND);
    // Who writes an object that is packed by now, and the first one of a folder that was emptied.
    await commit(repo, 'other', 'two');
    expect((await repo.file(await commit(repo, 'main', 'three'), 'deep/er/f'))?.size).toBe(5);
    expect((await repo.commit(tip))?.id).toBe(tip);
    expect(await repo.fsck()).toEqual(SOUND);
  });

  test('goes on where it ended between its pack and the end of what that holds a copy of', async () => {
    const repo = await fixture.empty('between.git');
    await commit(repo, 'main', 'one');
    const before = allObjects(repo);
    const objects = join(repo.gitDir, 'objects');
    const copy = join(fixture.root, 'between-objects');
    cpSync(objects, copy, { recursive: true });
    await repo.pack(ANY);
    cpSync(copy, objects, { recursive: true });
    expect(await repo.diskUse()).toMatchObject({ looseObjects: before.length, packs: 1 });
    expect(await repo.pack(ANY)).toMatchObject({ looseObjects: before.length });
    expect(await repo.diskUse()).toMatchObject({ looseObjects: 0 });
    cpSync(copy, objects, { recursive: true });
    await commit(repo, 'main', 'two');
    await repo.pack(ANY);
    expect(allObjects(repo)).toEqual(expect.arrayContaining(before));
    expect(await repo.diskUse()).toMatchObject({ looseObjects: 0, packs: 1 });
    expect(await repo.fsck()).toEqual(SOUND);
  });

  test('starts no process where there is too little', async () => {
    const repo = await fixture.empty('little.git');
    await commit(repo, 'main', 'one');
    const runner = { capture: () => Promise.reject(new Error('started')) };
    const context = { gitDir: repo.gitDir, runner } as unknown as RepositoryContext;
    const { run } = createPacking();
    const { looseObjects } = await repo.diskUse();
    expect(await run(context, { looseObjects: looseObjects + 1, packs: 1 })).toEqual({
      looseObjects: 0,
      packs: 0,
    });
    await expect(run(context, { looseObjects, packs: 1 })).rejects.toThrow('started');
    expect(await repo.strays()).toEqual([]);
  });

  test('gathers packs that are alike in size into one, and leaves those that somebody claims', async () => {
    const repo = await fixture.empty('packs.git');
    for (let at = 0; at < 5; at += 1) {
      await commit(repo, 'main', `${at}`);
      await repo.pack({ looseObjects: 1, packs: 50 });
    }
    const before = allObjects(repo);
    const [kept] = packFiles(repo).filter((name) => name.endsWith('.pack'));
    const keep = join(repo.gitDir, 'objects/pack', kept!.replace('.pack', '.keep'));
    writeFileSync(keep, '');
    expect(await repo.pack({ looseObjects: 1, packs: 3 })).toEqual({ looseObjects: 0, packs: 4 });
    expect(packFiles(repo).filter((name) => name.endsWith('.pack'))).toHaveLength(2);
    expect(packFiles(repo)).toContain(kept);
    expect(allObjects(repo)).toEqual(before);
    expect(await repo.fsck()).toEqual(SOUND);
    rmSync(keep);
    gitText(repo.gitDir, ['multi-pack-index', 'write']);
    expect(await freePacks(join(repo.gitDir, 'objects'))).toEqual([]);
  });

  test('knows whether a pack has all that another has', async () => {
    const repo = await fixture.empty('within.git');
    const packs: string[] = [];
    const objects = join(repo.gitDir, 'objects');
    const packed = async (pack: () => unknown) => {
      await pack();
      const added = (await freePacks(objects))
        .map(({ name }) => name)
        .filter((name) => !packs.includes(name));
      expect(added).toHaveLength(1);
      packs.push(...added);
    };
    for (const content of ['one', 'two']) {
      await commit(repo, 'main', content);
      await packed(() => repo.pack({ looseObjects: 1, packs: 50 }));
    }
    await packed(() => gitText(repo.gitDir, ['-c', 'repack.writeBitmaps=false', 'repack', '-q', '-a']));
    const [one, two, both] = packs as [string, string, string];
    expect(await isWithin(objects, one, both)).toBe(true);
    expect(await isWithin(objects, two, both)).toBe(true);
    expect(await isWithin(objects, both, both)).toBe(true);
    for (const [name, other] of [
      [both, one],
      [both, two],
      [one, two],
      [two, one],
    ] as const)
      expect(await isWithin(objects, name, other)).toBe(false);
  });

  test('leaves git a graph of the commits, whatever a killed writer of one left there', async () => {
    const repo = await fixture.empty('graph.git');
    const folder = join(repo.gitDir, 'objects/info/commit-graphs');
    mkdirSync(folder, { recursive: true });
    for (const rest of ['commit-graph-chain.lock', 'tmp_graph_x1']) writeFileSync(join(folder, rest), 'x');
    for (let at = 0; at < 5; at += 1) await commit(repo, 'main', `${at}`);
    await repo.pack(ANY);
    expect(readdirSync(folder).sort()).toEqual([
      expect.stringMatching(/chain$/),
      expect.stringMatching(/^graph-/),
    ]);
    gitText(repo.gitDir, ['commit-graph', 'verify']);
    await commit(repo, 'main', '5');
    const walked = gitText(repo.gitDir, ['-c', 'core.commitGraph=false', 'rev-list', 'main']).split('\n');
    expect(gitText(repo.gitDir, ['rev-list', 'main']).split('\n')).toEqual(walked);
    expect(await repo.countCommits({ revision: 'main' })).toBe(walked.length);
  });

  test('packs what a repository with a broken ref has', async () => {
    const repo = await fixture.empty('broken.git');
    await commit(repo, 'main', 'one');
    writeFileSync(join(repo.gitDir, 'refs/heads/broken'), `${'b'.repeat(40)}\n`);
    const { looseObjects } = await repo.diskUse();
    expect(await repo.pack(ANY)).toEqual({ looseObjects, packs: 0 });
  });

  test('loses nothing while commits, pushes and reads go on', async () => {
    const repo = await fixture.empty('busy.git');
    const server = await serveGit(repo);
    const work = join(fixture.root, 'busy');
    gitText(fixture.root, ['init', '-q', '-b', 'pushed', 'busy']);
    const first = await commit(repo, 'main', 'first');
    let isOver = false;
    let packed = 0;
    let gathered = 0;
    const packing = async () => {
      while (!isOver || packed === 0 || gathered === 0) {
        const done = await repo.pack(ANY);
        packed += done.looseObjects;
        gathered += done.packs;
      }
    };
    const committing = async (branch: string) => {
      const made: string[] = [];
      for (let at = 0; at < 40; at += 1) {
        const oid = await commit(repo, branch, `${branch} ${at}`);
        made.push(oid);
        // As a session reads them, whose list of packs is of before.
        const read = await repo.file(made[Math.floor(at / 2)]!, 'deep/er/f');
        expect(read?.size).toBe(`${branch} ${Math.floor(at / 2)}`.length);
        expect((await repo.diff(made.at(-2) ?? first, oid)).entries).toHaveLength(1);
      }
      return made;
    };
    const pushing = async () => {
      for (let at = 0; at < 12; at += 1) {
        // Both of a push's ways: few objects stay loose, many come as a pack.
        const files = at % 2 === 0 ? 1 : 120;
        for (let file = 0; file < files; file += 1) writeFileSync(join(work, `f${file}`), `${at} ${file}\n`);
        gitText(work, ['add', '-A']);
        gitText(work, ['commit', '-q', '-m', `${at}`]);
        expect(await gitAsync(work, ['push', '-q', server.url, 'pushed'])).toMatchObject({ code: 0 });
        const clone = join(fixture.root, `busy-clone-${at}`);
        expect(await gitAsync(fixture.root, ['clone', '-q', '--bare', server.url, clone])).toMatchObject({
          code: 0,
        });
      }
    };
    const over = Promise.all([committing('main'), committing('side'), pushing()]).finally(() => {
      isOver = true;
    });
    await Promise.all([packing(), over]);
    await server.close();
    const [main, side] = await over;
    for (const [branch, made] of [
      ['main', [first, ...main]],
      ['side', side],
    ] as const)
      expect(gitText(repo.gitDir, ['rev-list', '--reverse', branch]).split('\n')).toEqual(made);
    expect(gitText(repo.gitDir, ['rev-parse', 'pushed'])).toBe(gitText(work, ['rev-parse', 'HEAD']));
    expect(await repo.strays()).toEqual([]);
    expect(await repo.fsck()).toEqual(SOUND);
  });

  test('leaves everything as it was where git is killed in the middle', async () => {
    const repo = await fixture.empty('killed.git');
    const tip = await commit(repo, 'main', 'one');
    const before = packFiles(repo);
    const { path } = addEndless(repo);
    const packing = repo.pack(ANY);
    packing.catch(() => {});
    process.kill(await packingChild(), 'SIGKILL');
    await expect(packing).rejects.toMatchObject({ code: 'failed' });
    rmSync(path);
    expect(await repo.strays()).toEqual([]);
    expect(packFiles(repo)).toEqual(before);
    expect(await repo.fsck()).toEqual(SOUND);
    expect((await repo.pack(ANY)).looseObjects).toBeGreaterThan(0);
    expect((await repo.commit(tip))?.id).toBe(tip);
  });

  test('gives way to whoever stops it, and to the end of its repository', async () => {
    const repo = await fixture.empty('given-up.git');
    await commit(repo, 'main', 'one');
    addEndless(repo);
    const stop = new AbortController();
    const stopped = repo.pack(ANY, stop.signal);
    stopped.catch(() => {});
    await packingChild();
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect(await repo.strays()).toEqual([]);
    const ended = repo.pack(ANY);
    ended.catch(() => {});
    await packingChild();
    await repo.remove();
    await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
    expect(await repo.exists()).toBe(false);
    expect(readdirSync(join(repo.gitDir, '..'))).not.toContain('given-up.git');
  });
});

describe('the packs to gather', () => {
  const gathered = (...bytes: number[]) =>
    packsToGather(bytes.map((size) => ({ name: `${size}`, bytes: size }))).map(({ bytes: size }) => size);

  test.each<[string, number[], number[]]>([
    ['none of none', [], []],
    ['none of one', [7], []],
    ['none where each is twice the one before', [1, 2, 4, 8], []],
    ['all that are alike', [5, 5, 5], [5, 5, 5]],
    ['small ones, and not the large one', [1, 1, 1, 100], [1, 1, 1]],
    ['the large one too, where as much has come', [20, 20, 20, 100], [20, 20, 20, 100]],
  ])('are %s', (_, packs, wanted) => {
    expect(gathered(...packs)).toEqual(wanted);
  });

  test('leave each at least as large as twice all that are smaller', () => {
    for (let seed = 1; seed < 200; seed += 1) {
      const packs = Array.from({ length: 30 }, (_, at) => ((seed * 7919 * (at + 1) ** 3) % 100_003) + 1);
      const sorted = packs.toSorted((a, b) => a - b);
      const taken = gathered(...sorted);
      const left = [taken.reduce((sum, size) => sum + size, 0), ...sorted.slice(taken.length)];
      for (let at = 1; at < left.length; at += 1)
        expect(left[at]).toBeGreaterThanOrEqual(taken.length > 0 || at > 1 ? 2 * left[at - 1]! : 0);
    }
  });
});
