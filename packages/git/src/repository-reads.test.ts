import { isUtf8 } from 'node:buffer';
/** Compares every read with stock git, on this project's history and on an odd repository. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Repository } from './git.ts';
import { commitParentIds } from './objects/commit-object.ts';
import {
  addOddRepository,
  addOwnHistory,
  createFixture,
  type Fixture,
  findOwnHistory,
} from './testing/fixture.ts';
import { gitBytes, gitText } from './testing/stock-git.ts';

/** Missing if the sources were unpacked without their history. */
const ownHistory = findOwnHistory();
let fixture: Fixture;
const repositories: Record<string, Repository> = {};
beforeAll(async () => {
  fixture = await createFixture();
  repositories.odd = addOddRepository(fixture);
  if (ownHistory) repositories.own = addOwnHistory(fixture, ownHistory);
});
afterAll(() => fixture.close());

/** No commit of this project is larger: one that keeps a released contract has megabytes. */
const LARGE = { maxPatchBytes: 32 * 1024 * 1024, maxBytes: 64 * 1024 * 1024, deadlineMs: 60_000 };
const lines = (text: string) => text.split('\n').filter((line) => line !== '');
const nulls = (bytes: Buffer) => bytes.toString('latin1').split('\0').slice(0, -1);
/** Compares with raw bytes: texts that are not UTF-8 are decoded as Latin-1. */
const same = (text: string, bytes: string) =>
  Buffer.from(text).toString('latin1') === bytes || text === bytes;

describe.each(ownHistory ? ['odd', 'own'] : ['odd'])('%s', (which) => {
  const repo = () => repositories[which]!;
  const git = (...args: string[]) => gitText(repo().gitDir, args);
  const allCommits = () => lines(git('rev-list', '--branches', '--tags'));

  test('refs', async () => {
    const expected = lines(git('for-each-ref', '--format=%(objectname) %(refname)'));
    expect((await repo().listRefs()).map(({ ref, oid }) => `${oid} ${ref}`)).toEqual(expected);
    const heads = lines(git('for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/'));
    expect((await repo().listRefs('refs/heads/')).map(({ ref, oid }) => `${oid} ${ref}`)).toEqual(heads);
    expect(await repo().defaultBranch()).toBe(git('symbolic-ref', '--short', 'HEAD'));
  });

  /** Commits whose encoding is unknown stay as they are. */
  const asText = (latin1: string) => {
    const bytes = Buffer.from(latin1, 'latin1');
    return isUtf8(bytes) ? bytes.toString('utf8') : latin1;
  };

  /** What git says of each commit, in one call: fields of each as Latin-1. */
  function toldOf(ids: readonly string[], fields: readonly string[]): string[][] {
    const format = `--format=tformat:${fields.join('%x00')}%x00%x1e`;
    const args = ['log', '--no-walk=unsorted', '--stdin', '--encoding=UTF-8', format];
    const told = gitBytes(repo().gitDir, args, { input: ids.join('\n') }).toString('latin1');
    return told
      .split('\0\x1e\n')
      .slice(0, -1)
      .map((one) => one.split('\0'));
  }

  test('commits', async () => {
    const ids = allCommits();
    const fields = ['%H', '%P', '%T', '%at', '%ct', '%ae', '%ce', '%aI', '%an', '%cn', '%s', '%B'];
    const told = toldOf(ids, fields);
    expect(told.map(([hash]) => hash)).toEqual(ids);
    for (const one of told) {
      const [hash, parents, tree, at, ct, ae, ce, aI, an, cn, title, message] = one.map(asText) as string[];
      const commit = (await repo().commit(hash!))!;
      expect([commit.id, commit.parentIds.join(' '), commit.treeId]).toEqual([hash, parents, tree]);
      expect(commitParentIds(await repo().objects.need(commit.id, 'commit')).join(' ')).toBe(parents);
      expect([commit.author.date.seconds, commit.committer.date.seconds].map(String)).toEqual([at, ct]);
      expect([
        commit.author.email,
        commit.committer.email,
        commit.author.name,
        commit.committer.name,
      ]).toEqual([ae, ce, an, cn]);
      expect(commit.author.date.iso.replace('.000', '')).toBe(aI!.replace('Z', '+00:00'));
      expect(Date.parse(commit.author.date.utc)).toBe(Number(at) * 1000);
      expect(Date.parse(commit.author.date.iso)).toBe(Number(at) * 1000);
      expect(commit.title).toBe(title);
      expect(commit.message).toBe(message);
    }
  });

  test('trailers', async () => {
    const told = toldOf(allCommits(), ['%H', '%(trailers:only,unfold)']);
    expect(told).not.toEqual([]);
    for (const [id, trailers] of told) {
      const commit = (await repo().commit(id!))!;
      const expected = lines(Buffer.from(trailers!, 'latin1').toString());
      expect([id, ...commit.trailers.map(({ key, value }) => `${key}: ${value}`)]).toEqual([id, ...expected]);
    }
  });

  test('trees, flat, recursive and by folder', async () => {
    for (const id of allCommits().slice(0, 5)) {
      for (const recursive of [false, true]) {
        const expected = nulls(
          gitBytes(repo().gitDir, ['ls-tree', '-z', '-t', ...(recursive ? ['-r'] : []), id]),
        );
        const { entries, total } = (await repo().tree(id, { recursive }))!;
        expect(total).toBe(expected.length);
        entries.forEach(({ mode, type, oid, path }, index) => {
          const [facts, name] = expected[index]!.split('\t', 2) as [string, string];
          expect(`${mode} ${type} ${oid}`).toBe(facts);
          expect(same(path, expected[index]!.slice(facts.length + 1)), name).toBe(true);
        });
        const page = (await repo().tree(id, { recursive, offset: 2, limit: 3 }))!;
        expect(page).toEqual({ entries: entries.slice(2, 5), total, truncated: false });
      }
      for (const { path } of (await repo().tree(id))!.entries.filter(({ type }) => type === 'tree')) {
        const expected = nulls(gitBytes(repo().gitDir, ['ls-tree', '-z', `${id}:${path}`]));
        const { entries } = (await repo().tree(id, { path }))!;
        expect(
          entries.map(
            ({ mode, type, oid, name }) => `${mode} ${type} ${oid}\t${Buffer.from(name).toString('latin1')}`,
          ),
        ).toEqual(expected);
      }
    }
  });

  test('files, whole and as a stream', async () => {
    const id = git('rev-parse', 'main');
    const { entries } = (await repo().tree(id, { recursive: true }))!;
    const files = entries
      .filter(({ type, path }) => type === 'blob' && !path.includes('\u00efve'))
      .slice(0, 60);
    expect(files.length).toBeGreaterThan(5);
    for (const { oid, path, mode } of files) {
      const content = gitBytes(repo().gitDir, ['cat-file', 'blob', oid]);
      const file = (await repo().file(id, path))!;
      expect([file.oid, file.mode, file.path, file.size]).toEqual([oid, mode, path, content.length]);
      expect(file.content.equals(content)).toBe(true);
      const raw = (await repo().openBlob(oid))!;
      expect(raw.size).toBe(content.length);
      expect(
        Buffer.concat(await Array.fromAsync(await raw.stream(new AbortController().signal))).equals(content),
      ).toBe(true);
    }
  });

  test('last commit of each path', async () => {
    const id = git('rev-parse', 'main');
    const { entries } = (await repo().tree(id, { recursive: true }))!;
    for (const { path, type } of entries.filter(({ path }) => !path.includes('\u00efve')).slice(0, 40)) {
      if (type === 'commit') continue;
      const expected = gitText(repo().gitDir, ['log', '-1', '--format=%H', id, '--', path], {
        env: { GIT_LITERAL_PATHSPECS: '1' },
      });
      expect([path, await repo().lastCommitOf(id, path)]).toEqual([path, expected]);
      expect(await repo().lastCommitOf(id, `/${path}`)).toBe(expected);
    }
  });

  const walks: [string, object, string[]][] = [
    ['the default branch', {}, ['main']],
    ['topological', { order: 'topo' }, ['--topo-order', 'main']],
    ['first parents', { firstParent: true }, ['--first-parent', 'main']],
    ['without merges', { noMerges: true }, ['--no-merges', 'main']],
    ['all', { all: true }, ['--branches', '--tags']],
    ['a path', { path: 'README.md' }, ['main', '--', 'README.md']],
    ['a range', { revision: 'main~..main' }, ['main~..main']],
    ['an author', { author: 'ann@example.com' }, ['--author=ann@example\\.com', 'main']],
    ['an author that is a pattern', { author: '.*' }, ['--author=\\.\\*', 'main']],
    ['since', { since: new Date(1_632_120_000_000) }, ['--max-age=1632120000', 'main']],
    ['until', { until: new Date(1_632_125_000_000) }, ['--min-age=1632125000', 'main']],
  ];
  test.each(walks)('history: %s', async (name, options, args) => {
    // Names with ~ are not for callers: ranges are given as ids.
    const revision = name === 'a range' ? { revision: `${git('rev-parse', 'main~')}..main` } : {};
    const expected = lines(git('rev-list', ...args));
    const { commits } = (await repo().commits({ ...options, ...revision, limit: expected.length + 1 }))!;
    expect(commits.map(({ id }) => id)).toEqual(expected);
    expect(await repo().countCommits({ ...options, ...revision })).toBe(expected.length);
    const page = (await repo().commits({ ...options, ...revision, offset: 1, limit: 2 }))!;
    expect(page.commits.map(({ id }) => id)).toEqual(expected.slice(1, 3));
    expect(page.hasMore).toBe(expected.length > 3);
  });

  test('stats', async () => {
    const { commits } = (await repo().commits({ all: true, limit: 50, withStats: true }))!;
    for (const { id, parentIds, stats } of commits) {
      const ends = parentIds[0] ? [parentIds[0], id] : ['--root', id];
      const rows = lines(git('diff-tree', '-r', '-M', '--no-commit-id', '--numstat', ...ends));
      const sum = (column: number) =>
        rows.reduce((total, row) => total + (Number(row.split('\t')[column]) || 0), 0);
      expect([id, stats]).toEqual([id, { additions: sum(0), deletions: sum(1), total: sum(0) + sum(1) }]);
    }
  });

  test('contributors', async () => {
    const id = git('rev-parse', 'main');
    const expected = lines(git('shortlog', '-sne', '--no-merges', 'main'));
    const rows = (await repo().contributors(id)).map(
      ({ commits, name, email }) => `${String(commits).padStart(6)}\t${name} <${email}>`,
    );
    expect(rows).toEqual(expected);
  });

  test('ahead, behind and ancestors', async () => {
    const ids = allCommits().slice(0, process.env.ALL_TESTS === undefined ? 4 : 8);
    for (const a of ids) {
      for (const b of ids) {
        const outcome = gitOutcome(repo().gitDir, ['merge-base', a, b]);
        expect(await repo().mergeBase([a, b])).toBe(outcome || undefined);
        const [behind, ahead] = git('rev-list', '--left-right', '--count', `${a}...${b}`)
          .split('\t')
          .map(Number);
        expect(await repo().aheadBehind(a, b)).toEqual({ ahead, behind });
        expect(await repo().isAncestor(a, b)).toBe(outcome === a);
        const between = await repo().commits({ range: { include: [b], exclude: [a] }, limit: 3 });
        const listed = git('rev-list', b, `^${a}`).split('\n').filter(Boolean);
        expect(between!.commits.map(({ id }) => id)).toEqual(listed.slice(0, 3));
        expect(between!.hasMore).toBe(listed.length > 3);
      }
      const merged = ids.filter((id) => gitOutcome(repo().gitDir, ['merge-base', id, a]) === id);
      expect(await repo().mergedInto(ids, a)).toEqual(new Set(merged));
      const containing = ids.filter((id) => gitOutcome(repo().gitDir, ['merge-base', a, id]) === a);
      expect(await repo().containing(a, [...ids, 'f'.repeat(40)])).toEqual(new Set(containing));
    }
    expect(await repo().mergeBase(ids.slice(0, 4))).toBe(
      gitOutcome(repo().gitDir, ['merge-base', '--octopus', ...ids.slice(0, 4)]) || undefined,
    );
  });

  test('blame', async () => {
    const id = git('rev-parse', 'main');
    const { entries } = (await repo().tree(id, { recursive: true }))!;
    const files = entries
      .filter(({ type, path }) => type === 'blob' && !path.includes('\u00efve'))
      .slice(0, 25);
    for (const { path } of files) {
      const porcelain = gitBytes(repo().gitDir, ['blame', '--line-porcelain', id, '--', path]).toString(
        'latin1',
      );
      const expected = [
        ...porcelain.matchAll(/^([0-9a-f]{40}) \d+ \d+[^\n]*\n(?:[^\t\n][^\n]*\n)*\t([^\n]*)$/gm),
      ].map(([, oid, text]) => [oid, text]);
      const { ranges } = (await repo().blame(id, path))!;
      const actual = ranges.flatMap(({ commit, lines }) => lines.map((line) => [commit.id, line]));
      expect(actual.length).toBe(expected.length);
      actual.forEach(([oid, text], index) => {
        expect(oid).toBe(expected[index]![0]);
        expect(same(text!, expected[index]![1]!)).toBe(true);
      });
      const owners = ranges.map(({ commit }) => commit.id);
      expect(owners.filter((owner, index) => owner === owners[index - 1])).toEqual([]);
    }
  });

  test('differences', async () => {
    const pairs = allCommits()
      .slice(0, 12)
      .map((id) => [git('rev-list', '--parents', '-1', id).split(' ')[1], id] as const);
    for (const [from, to] of pairs) {
      const { entries, overflow, timedOut } = await repo().diff(from, to, LARGE);
      expect([overflow, timedOut]).toEqual([false, false]);
      const ends = from ? [from, to] : ['4b825dc642cb6eb9a060e54bf8d69288fbee4904', to];
      // The joined diffs are git's own patch.
      const patch = gitBytes(repo().gitDir, [
        'diff-tree',
        '-r',
        '-M',
        '-p',
        '--full-index',
        ...ends,
      ]).toString('latin1');
      const hunks = patch
        .split(/^diff --git .*\n/m)
        .slice(1)
        .map((text) => {
          const at = text.search(/^(@@ |Binary files )/m);
          return at < 0 ? '' : text.slice(at);
        });
      expect(entries.length).toBe(hunks.length);
      expect(entries.filter(({ diff }, index) => !same(diff, hunks[index]!))).toEqual([]);
      const status = nulls(
        gitBytes(repo().gitDir, ['diff-tree', '-r', '-M', '-z', '--name-status', ...ends]),
      );
      expect(entries.filter((entry) => entry.renamedFile).length).toBe(
        status.filter((field) => /^R\d{3}$/.test(field)).length,
      );
    }
  });
});

/** The output of a command, also if it fails. */
function gitOutcome(gitDir: string, args: string[]): string {
  try {
    return gitText(gitDir, args).split('\n')[0]!;
  } catch {
    return '';
  }
}

describe('odd ones', () => {
  const odd = () => repositories.odd!;
  const git = (...args: string[]) => gitText(odd().gitDir, args);

  test('resolves names by one precedence', async () => {
    const main = git('rev-parse', 'refs/heads/main');
    const branch = git('rev-parse', 'refs/heads/v1.0.0');
    const expectOid = async (name: string, oid: string, kind: string) =>
      expect(await odd().resolveRevision(name)).toMatchObject({ oid, kind });
    await expectOid('HEAD', main, 'branch');
    await expectOid('v1.0.0', branch, 'branch'); // the tag of that name points elsewhere
    expect(git('rev-parse', 'refs/tags/v1.0.0')).not.toBe(branch);
    await expectOid('refs/tags/v1.0.0', git('rev-parse', 'refs/tags/v1.0.0'), 'tag');
    await expectOid('v2.0.0', git('rev-parse', 'refs/tags/v2.0.0^{commit}'), 'tag');
    await expectOid('v2.0.0-again', git('rev-parse', 'refs/tags/v2.0.0^{commit}'), 'tag');
    await expectOid(
      git('rev-parse', 'refs/tags/v2.0.0'),
      git('rev-parse', 'refs/tags/v2.0.0^{commit}'),
      'commit',
    );
    await expectOid(main, main, 'commit');
    await expectOid(main.toUpperCase(), main, 'commit');
    await expectOid(main.slice(0, 7), main, 'commit');
    await expectOid('feature/with.dots-and_more', git('rev-parse', 'feature/with.dots-and_more'), 'branch');
  });

  test.each([
    '',
    '@',
    'main~1',
    'main^',
    'main^{tree}',
    'main:README.md',
    'main@{0}',
    '@{-1}',
    ':/First',
    '--all',
    '-n1',
    'HEAD~',
    'nope',
    '0'.repeat(40),
    'abcdef0',
    'refs/heads/',
    'refs/heads/nope',
    '../HEAD',
    'refs/../HEAD',
    'config',
    'a\0b',
    'main\n',
    'a-blob',
  ])('finds no commit by %j', async (name) => {
    expect(await odd().resolveRevision(name)).toBeUndefined();
    expect(await odd().commits({ revision: name })).toBeUndefined();
  });

  test('tags', async () => {
    const annotated = (await odd().tag('v2.0.0'))!;
    expect(annotated.oid).toBe(git('rev-parse', 'refs/tags/v2.0.0'));
    expect(annotated.commitOid).toBe(git('rev-parse', 'refs/tags/v2.0.0^{commit}'));
    expect(annotated.annotation?.message).toBe('Version two\n\nwith a body\n');
    expect(annotated.annotation?.tagger?.email).toBe('carl@example.com');
    expect(await odd().tag('v1.0.0')).toMatchObject({
      annotation: undefined,
      commitOid: git('rev-parse', 'refs/tags/v1.0.0'),
    });
    expect(await odd().tag('a-blob')).toMatchObject({ commitOid: undefined });
    expect(await odd().tag('nope')).toBeUndefined();
    expect(await odd().tag('no such*name')).toBeUndefined();
  });

  test('reads submodules and links exactly', async () => {
    const main = git('rev-parse', 'main');
    expect(await odd().entry(main, 'vendored')).toMatchObject({ type: 'commit', mode: '160000' });
    expect(await odd().file(main, 'vendored')).toBeUndefined();
    expect(await odd().file(main, 'unicode')).toBeUndefined();
    expect(await odd().tree(main, { path: 'README.md' })).toBeUndefined();
    expect(await odd().tree(main, { path: 'nope/x' })).toBeUndefined();
    expect(await odd().file(main, 'README.md/x')).toBeUndefined();
    expect(await odd().file(main, '../HEAD')).toBeUndefined();
    expect((await odd().tree(main, { order: 'grouped' }))!.entries.map(({ type }) => type)).toEqual(
      (await odd().tree(main))!.entries
        .map(({ type }) => type)
        .sort((a, b) => 'tbc'.indexOf(a[0]!) - 'tbc'.indexOf(b[0]!)),
    );
  });

  test('splits a link that became a file into two changes', async () => {
    const { entries } = await odd().diff(git('rev-parse', 'main~5'), git('rev-parse', 'main'));
    const link = entries.filter(({ newPath }) => newPath === 'link');
    expect(
      link.map(({ aMode, bMode, newFile, deletedFile }) => ({ aMode, bMode, newFile, deletedFile })),
    ).toEqual([
      { aMode: '120000', bMode: '0', newFile: false, deletedFile: true },
      { aMode: '0', bMode: '100644', newFile: true, deletedFile: false },
    ]);
  });

  test('truncates diffs at each limit and reports it', async () => {
    const [from, to] = [git('rev-parse', 'main~5'), git('rev-parse', 'main')];
    const whole = await odd().diff(from, to);
    const few = await odd().diff(from, to, { maxFiles: 2 });
    expect([few.entries, few.overflow]).toEqual([whole.entries.slice(0, 2), true]);
    const small = await odd().diff(from, to, { maxPatchBytes: 40 });
    expect(small.overflow).toBe(true);
    expect(small.entries.map(({ newPath }) => newPath)).toEqual(whole.entries.map(({ newPath }) => newPath));
    for (const [index, { diff }] of small.entries.entries())
      expect(['', whole.entries[index]!.diff]).toContain(diff);
    expect(await odd().diff(from, to)).toEqual(whole); // the session still answers
  });

  test('rejects objects that are too large, and continues', async () => {
    const main = git('rev-parse', 'main');
    await expect(odd().file(main, 'crlf.txt', 3)).rejects.toMatchObject({
      code: 'object_too_large',
      size: 10,
    });
    expect((await odd().file(main, 'README.md'))!.size).toBeGreaterThan(3);
  });

  test.each(['tar', 'tar.gz', 'tar.bz2', 'zip'] as const)('archives as %s', async (format) => {
    const commitOid = git('rev-parse', 'main');
    const stream = (await odd().archive({ commitOid, format, prefix: 'odd-main' }))!;
    const bytes = Buffer.concat(await Array.fromAsync(stream));
    const stock = ['archive', '--prefix=odd-main/', commitOid];
    if (format === 'zip')
      return expect(bytes.equals(gitBytes(odd().gitDir, [...stock, '--format=zip', '-1']))).toBe(true);
    const { execFileSync } = await import('node:child_process');
    const unpacked =
      format === 'tar'
        ? bytes
        : execFileSync(format === 'tar.gz' ? 'gzip' : 'bzip2', ['-dc'], { input: bytes, maxBuffer: 2 ** 28 });
    expect(unpacked.equals(gitBytes(odd().gitDir, [...stock, '--format=tar']))).toBe(true);
    return undefined;
  });

  test('archives one folder, and rejects a missing one', async () => {
    const commitOid = git('rev-parse', 'main');
    const stream = (await odd().archive({ commitOid, format: 'tar', prefix: 'p', path: 'deep' }))!;
    const expected = gitBytes(odd().gitDir, ['archive', '--format=tar', '--prefix=p/', commitOid, 'deep']);
    expect(Buffer.concat(await Array.fromAsync(stream)).equals(expected)).toBe(true);
    expect(await odd().archive({ commitOid, format: 'tar', prefix: 'p', path: 'nope' })).toBeUndefined();
  });

  test('compares with another repository without copying anything', async () => {
    const fork = await fixture.empty('fork.git');
    const tree = gitText(fork.gitDir, ['write-tree']);
    gitText(fork.gitDir, ['update-ref', 'HEAD', gitText(fork.gitDir, ['commit-tree', '-m', 'Fork', tree])]);
    const [ours, theirs] = [git('rev-parse', 'main'), gitText(fork.gitDir, ['rev-parse', 'HEAD'])];
    expect(await odd().commit(theirs)).toBeUndefined();
    const both = odd().withObjectsOf([fork]);
    expect((await both.commit(theirs))?.id).toBe(theirs);
    expect(await both.mergeBase([ours, theirs])).toBeUndefined();
    expect((await both.diff(ours, theirs)).entries.length).toBeGreaterThan(0);
    expect(await odd().commit(theirs)).toBeUndefined();
  });
});
