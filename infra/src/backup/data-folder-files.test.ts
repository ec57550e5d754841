import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Repository } from '@forgelog/git/git.ts';
import { createFixture, type Fixture } from '@forgelog/git/testing/fixture.ts';
import { gitText } from '@forgelog/git/testing/stock-git.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachObjectFile } from './data-folder-files.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const author = { name: 'Ann', email: 'ann@example.com', date: new Date('2021-09-20T06:06:12Z') };

async function commit(repo: Repository, content: string): Promise<string> {
  const old = await repo.readRef('refs/heads/main');
  const action = {
    action: old ? 'update' : 'create',
    path: 'deep/f',
    content: Buffer.from(content),
  } as const;
  const { oid } = await repo.buildCommit({
    ...{ parents: old ? [old] : [], actions: [action], author, message: content },
  });
  await repo.updateRefs([{ ref: 'refs/heads/main', oldOid: old ?? '0'.repeat(40), newOid: oid }]);
  return oid;
}

test('all objects of before are copied while a repository is written to and packed', async () => {
  const repo = await fixture.empty('busy.git');
  const root = join(fixture.root, 'repositories');
  let newest = await commit(repo, 'first');
  let isOver = false;
  let packed = 0;
  const writing = (async () => {
    for (let at = 0; !isOver; at += 1) newest = await commit(repo, `${at}`);
  })();
  const packing = (async () => {
    while (!isOver) packed += (await repo.pack({ looseObjects: 1, packs: 1 })).packs;
  })();
  let vanished = 0;
  try {
    for (let round = 0; round < 40 || packed === 0 || vanished === 0; round += 1) {
      const copy = join(fixture.root, `copy-${round}.git`);
      gitText(fixture.root, ['init', '-q', '--bare', copy]);
      const before = newest;
      const isWhole = await eachObjectFile(root, 'busy.git', async (paths) => {
        // As slow as a copy of large files, so that some are packed meanwhile.
        for (const path of paths) {
          await new Promise((next) => setImmediate(next));
          const target = join(copy, path.slice('busy.git/'.length));
          if (existsSync(target)) continue;
          mkdirSync(dirname(target), { recursive: true });
          try {
            cpSync(join(root, path), target);
          } catch {
            vanished += 1;
          }
        }
      });
      expect(isWhole).toBe(true);
      expect(gitText(copy, ['rev-list', '--objects', before]).split('\n').length).toBeGreaterThan(2);
    }
  } finally {
    isOver = true;
    await Promise.all([writing, packing]);
  }
}, 120_000);

test('a repository that is gone is told from an empty one', async () => {
  await fixture.empty('empty.git');
  const root = join(fixture.root, 'repositories');
  const none: string[] = [];
  const take = async (paths: readonly string[]) => void none.push(...paths);
  expect(await eachObjectFile(root, 'empty.git', take)).toBe(true);
  expect(await eachObjectFile(root, 'gone.git', take)).toBe(false);
  expect(none).toEqual([]);
});
