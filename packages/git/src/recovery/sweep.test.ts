import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZERO_OID } from '../objects/object-id.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { gitText } from '../testing/stock-git.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const author = { name: 'Ann', email: 'ann@example.com', date: new Date('2021-09-20T06:06:12Z') };

async function withCommits(name: string, count: number) {
  const repo = await fixture.empty(name);
  const oids: string[] = [];
  for (let index = 0; index < count; index++) {
    const content = Buffer.from(`${index}\n`);
    const actions = [{ action: index === 0 ? 'create' : 'update', path: 'f', content }] as const;
    oids.push(
      (await repo.buildCommit({ parents: oids.slice(-1), actions: [...actions], author, message: 'x\n' }))
        .oid,
    );
  }
  return { repo, oids };
}

describe('a repository', () => {
  test.each(['', '..', '../x', 'a/../b', '/etc', 'a//b', '.git', 'a/.hidden', '-x', 'a\0b', 'a b', 'a/'])(
    'has no path %j',
    (path) => {
      expect(() => fixture.git.repository(path)).toThrow('invalid repository path');
    },
  );

  test('is valid for git from the start, and cannot be created twice', async () => {
    const repo = fixture.git.repository('@hashed/aa/bb/one.git');
    await repo.init('trunk');
    expect(gitText(repo.gitDir, ['rev-parse', '--is-bare-repository'])).toBe('true');
    expect(gitText(repo.gitDir, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/trunk');
    expect(await repo.fsck()).toMatchObject({ ok: true });
    await expect(repo.init('main')).rejects.toMatchObject({ code: 'repository_exists' });
    expect(await repo.defaultBranch()).toBe('trunk');
    expect(readdirSync(join(repo.gitDir, '..'))).toEqual(['one.git']);
    await expect(fixture.git.repository('other.git').init('bad name')).rejects.toMatchObject({
      code: 'invalid_name',
    });
    expect(fixture.git.repository('other.git').gitDir).not.toSatisfy(existsSync);
  });

  test('goes while somebody still writes into its folder', async () => {
    const repository = fixture.git.repository('groups/busy.git');
    await repository.init('main');
    const writer = spawn(
      process.execPath,
      [
        '-e',
        "let n = 0; for (const end = Date.now() + 600; Date.now() < end; ) fs.writeFileSync('objects/' + n++, '');",
      ],
      { cwd: repository.gitDir, stdio: 'ignore' },
    );
    const ended = once(writer, 'exit');
    await expect.poll(() => existsSync(join(repository.gitDir, 'objects/0'))).toBe(true);
    await repository.remove();
    await ended;
    expect(readdirSync(join(repository.gitDir, '..')).filter((name) => name.startsWith('busy.git'))).toEqual(
      [],
    );
  });

  test('changes its default branch and is removed', async () => {
    const { repo, oids } = await withCommits('leaving.git', 1);
    await repo.updateRefs([{ ref: 'refs/heads/next', oldOid: ZERO_OID, newOid: oids[0]! }]);
    expect(await repo.resolveRevision('HEAD')).toBeUndefined();
    await repo.setHead('next');
    expect((await repo.resolveRevision('HEAD'))?.oid).toBe(oids[0]);
    await expect(repo.setHead('../x')).rejects.toMatchObject({ code: 'invalid_name' });
    await repo.remove();
    await repo.remove();
    expect(existsSync(repo.gitDir)).toBe(false);
    await repo.init('main');
    expect(await repo.commit(oids[0]!)).toBeUndefined(); // nothing is cached
  });

  test('is swept of the leftovers of a killed git, and of nothing else', async () => {
    const { repo, oids } = await withCommits('stale.git', 2);
    // Branches with names like leftovers elsewhere.
    for (const branch of ['a/b', 'packed-refs.new', 'tmp_graph_x1', 'tmp_obj_x1'])
      await repo.updateRefs([{ ref: `refs/heads/${branch}`, oldOid: ZERO_OID, newOid: oids[0]! }]);
    const before = readdirSync(repo.gitDir, { recursive: true }).map(String).sort();
    const stale = [
      'HEAD.lock',
      'config.lock',
      'packed-refs.lock',
      'refs/heads/a/b.lock',
      'objects/aa/tmp_obj_x1',
      'objects/pack/tmp_pack_x1',
      'objects/info/commit-graphs/commit-graph-chain.lock',
      'objects/info/commit-graphs/tmp_graph_x1',
      `objects/pack/pack-${'1'.repeat(40)}.idx`,
    ];
    mkdirSync(join(repo.gitDir, 'objects/aa'), { recursive: true });
    mkdirSync(join(repo.gitDir, 'objects/info/commit-graphs'), { recursive: true });
    mkdirSync(join(repo.gitDir, 'objects/tmp_objdir-incoming-x/pack'), { recursive: true });
    for (const path of stale) writeFileSync(join(repo.gitDir, path), 'x');
    expect((await repo.sweep()).sort()).toEqual([...stale, 'objects/tmp_objdir-incoming-x'].sort());
    const folders = ['objects/aa', 'objects/info/commit-graphs'];
    const after = readdirSync(repo.gitDir, { recursive: true })
      .map(String)
      .filter((path) => !folders.includes(path));
    expect(after.sort()).toEqual(before.filter((path) => !folders.includes(path)));
    expect(await repo.sweep()).toEqual([]);
    await repo.updateRefs([{ ref: 'refs/heads/a/b', oldOid: oids[0]!, newOid: oids[1]! }]);
  });

  test('is swept away if its creation or removal was interrupted', async () => {
    const folder = join(fixture.root, 'repositories/halves');
    for (const name of ['x.git.new-0123456789ab', 'y.git.gone-0123456789ab', 'z.git'])
      mkdirSync(join(folder, name, 'refs'), { recursive: true });
    expect((await fixture.git.sweepFolder('halves')).sort()).toEqual([
      'x.git.new-0123456789ab',
      'y.git.gone-0123456789ab',
    ]);
    expect(readdirSync(folder)).toEqual(['z.git']);
  });

  test('reports its size and its faults', async () => {
    const { repo, oids } = await withCommits('faulty.git', 1);
    const { bytes: before } = await repo.diskUse();
    const noise = Buffer.from(Array.from({ length: 100_000 }, () => Math.floor(Math.random() * 256)));
    await repo.buildCommit({
      parents: oids,
      actions: [{ action: 'create', path: 'noise', content: noise }],
      author,
      message: 'x',
    });
    expect((await repo.diskUse()).bytes - before).toBeGreaterThanOrEqual(100_000);
    writeFileSync(join(repo.gitDir, 'refs/heads/main'), `${'b'.repeat(40)}\n`);
    const report = await repo.fsck();
    expect(report.ok).toBe(false);
    expect(report.problems.join('\n')).toContain('refs/heads/main');
  });
});
