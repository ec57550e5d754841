import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { writeOddHistory } from '../support/odd-repository.ts';
import {
  commitAll,
  fill,
  folderForTest,
  git,
  newFolder,
  newProject,
  removeFolder,
  type TestProject,
} from '../support/repositories.ts';

let forgelog: Forgelog;
let odd: TestProject;
let empty: TestProject;
let source: string;

beforeAll(async () => {
  forgelog = await startForgelog();
  source = newFolder();
  writeOddHistory(source);
  odd = await newProject(forgelog, 'odd', { visibility: 'public' });
  await fill(forgelog, odd, source);
  empty = await newProject(forgelog, 'empty');
});
afterAll(async () => {
  await forgelog.stop();
  removeFolder(source);
});

const get = (path: string) => forgelog.get(path);
const encode = encodeURIComponent;
const names = (items: { name: string }[]) => items.map(({ name }) => name);
/** Names that no ref may have, or that mean something else to git. */
const BAD_NAMES = [
  'a..b',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[b',
  'a\\b',
  'a.lock',
  '.a',
  'a/.b',
  'a//b',
  '/a',
  'a/',
  'a.',
  'a@{b',
  'a\tb',
  'x'.repeat(300),
];
const UNSAFE_NAMES = [...BAD_NAMES, '-a', '--force', 'HEAD', '@', 'refs/heads/x', 'caf\ufffd'];
/** What reads like an object id of SHA-1 or SHA-256, or like a path in one. */
const ID_NAMES = ['f', 'F', 'aB'].flatMap((digit) =>
  [40, 64].flatMap((length) => {
    const id = digit.repeat(length / digit.length);
    return [id, `${id}-x`, `${id}/x`];
  }),
);

describe('branches', () => {
  test('are listed by name, like git does', async () => {
    const { body, headers } = await get(`${odd.at}/branches`);
    const format = '--format=%(refname:lstrip=2)';
    expect(names(body)).toEqual(git(source, 'for-each-ref', format, 'refs/heads').split('\n'));
    expect(headers.get('x-total')).toBe(String(body.length));
    const merged = git(source, 'for-each-ref', '--merged=main', format, 'refs/heads').split('\n');
    for (const branch of body) {
      expect(branch.commit.id).toBe(git(source, 'rev-parse', `refs/heads/${branch.name}`));
      expect(branch.merged).toBe(branch.name !== 'main' && merged.includes(branch.name));
      expect(branch.default).toBe(branch.name === 'main');
      expect(branch.protected).toBe(branch.name === 'main');
      expect(branch.can_push).toBe(true);
    }
    expect((await get(`${empty.at}/branches`)).body).toEqual([]);
  });

  test('one, with any name', async () => {
    for (const name of ['main', 'feature/one', 'ünï.code', '100%']) {
      const { status, body } = await get(`${odd.at}/branches/${encode(name)}`);
      expect([name, status, body.name]).toEqual([name, 200, name]);
      expect(body.commit.web_url).toBe(`${forgelog.url}/root/odd/-/commit/${body.commit.id}`);
      expect(body.web_url).toBe(`${forgelog.url}/root/odd/-/tree/${encode(name).replaceAll('%2F', '/')}`);
      const head = await forgelog.call('HEAD', `${odd.at}/branches/${encode(name)}`);
      expect([name, head.status, head.text]).toEqual([name, 204, '']);
    }
    const dotted = await get(`${odd.at}/branches/${encode('ünï.code').replace('.', '%2E')}`);
    expect(dotted.body.name).toBe('ünï.code');
  });

  test('that do not exist, or have invalid names', async () => {
    expect((await get(`${odd.at}/branches/nothing`)).body).toEqual({ message: '404 Branch Not Found' });
    expect((await forgelog.call('HEAD', `${odd.at}/branches/nothing`)).status).toBe(404);
    for (const name of BAD_NAMES) {
      const { status, body } = await get(`${odd.at}/branches/${encode(name)}`);
      expect([name, status, body]).toEqual([name, 400, { message: 'The branch refname is invalid' }]);
    }
    // A tag's name is no branch's.
    expect((await get(`${odd.at}/branches/v1.0.0`)).status).toBe(404);
  });

  test('are searched by plain text, anchored at the start or end', async () => {
    for (const [search, found] of [
      ['AT', ['feature/one']],
      ['^feat', ['feature/one']],
      ['^eature', []],
      ['one$', ['feature/one']],
      ['main', ['main']],
      ['a', ['feature/one', 'main', 'merged-away', 'same-name']],
      ['^main$', ['main']],
      ['.*', []],
      ['(a+)+$', []],
      ['%', ['100%']],
      ['^', ['100%', 'feature/one', 'main', 'merged-away', 'same-name', 'ünï.code']],
      ['$', ['100%', 'feature/one', 'main', 'merged-away', 'same-name', 'ünï.code']],
    ] as const) {
      const { body } = await get(`${odd.at}/branches?search=${encode(search)}`);
      expect([search, names(body)]).toEqual([search, found]);
    }
  });

  test('are created once, and deleted', async () => {
    const project = await newProject(forgelog, 'branching');
    await fill(forgelog, project, source);
    const created = await forgelog.post(`${project.at}/branches`, { branch: 'new/größe', ref: 'v1.1.0' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ name: 'new/größe', merged: true, default: false, protected: false });
    expect(git(project.gitDir, 'rev-parse', 'refs/heads/new/größe')).toBe(
      git(source, 'rev-parse', 'v1.1.0^{commit}'),
    );
    const again = await forgelog.post(`${project.at}/branches`, { branch: 'new/größe', ref: 'main' });
    expect([again.status, again.body]).toEqual([400, { message: 'Branch already exists' }]);
    const inTheWay = await forgelog.post(`${project.at}/branches`, { branch: 'new', ref: 'main' });
    expect(inTheWay.status).toBe(400);
    const path = `${project.at}/branches/${encode('new/größe')}`;
    const stale = { headers: { 'If-Unmodified-Since': 'Mon, 01 Jan 2018 00:00:00 GMT' } };
    expect((await forgelog.delete(path, stale)).body).toEqual({ message: '412 Precondition Failed' });
    // What is no date is no condition.
    const unread = { headers: { 'If-Unmodified-Since': 'the day before 1' } };
    expect((await forgelog.delete(path, unread)).status).toBe(204);
    expect((await forgelog.delete(path)).body).toEqual({ message: '404 Branch Not Found' });
    const events = (
      await forgelog.system.store.readStream(`repository-${project.id}`, { fromRevision: 0, limit: 1000 })
    )
      .map((event) => event.data as { ref: string; via: string; oldOid: string; newOid: string })
      .filter(({ ref }) => ref === 'refs/heads/new/größe');
    const tip = git(source, 'rev-parse', 'v1.1.0^{commit}');
    expect(events).toMatchObject([
      { via: 'api', oldOid: '0'.repeat(40), newOid: tip },
      { via: 'api', oldOid: tip, newOid: '0'.repeat(40) },
    ]);
  });

  test('are refused on creation if invalid', async () => {
    await forgelog.system.projectors.policiesIdle();
    const before = await forgelog.system.store.head();
    for (const branch of UNSAFE_NAMES) {
      const { status, body } = await forgelog.post(`${odd.at}/branches`, { branch, ref: 'main' });
      expect([branch, status, body]).toEqual([branch, 400, { message: 'Branch name is invalid' }]);
    }
    for (const branch of ID_NAMES) {
      const message = 'You cannot create a branch with a SHA-1 or SHA-256 branch name.';
      const { status, body } = await forgelog.post(`${odd.at}/branches`, { branch, ref: 'main' });
      expect([branch, status, body]).toEqual([branch, 400, { message }]);
      const file = { branch, start_branch: 'main', content: 'x', commit_message: 'm' };
      const written = await forgelog.post(`${odd.at}/files/new`, file);
      expect([branch, written.status, written.body]).toEqual([branch, 400, { message }]);
    }
    for (const ref of [
      'nothing',
      '-x',
      'main~1',
      'main^{tree}',
      ':/First',
      'a-tree',
      '@{0}',
      'f'.repeat(40),
    ]) {
      const { status, body } = await forgelog.post(`${odd.at}/branches`, { branch: 'x', ref });
      expect([ref, status, body]).toEqual([ref, 400, { message: `Invalid reference name: ${ref}` }]);
    }
    for (const [sent, error] of [
      [{}, 'branch is missing, ref is missing'],
      [{ branch: 'x' }, 'ref is missing'],
      [{ branch: '', ref: 'main' }, 'branch is empty'],
      [{ branch: '', ref: '' }, 'branch is empty, ref is empty'],
      [{ branch: 'a\0b', ref: 'main' }, 'branch is invalid'],
    ] as const) {
      expect((await forgelog.post(`${odd.at}/branches`, sent)).body).toEqual({ error });
    }
    for (const ref of ['nothing', 'trunk', 'f'.repeat(40), 'refs/tags/main', 'main~0']) {
      const { status, body } = await forgelog.post(`${empty.at}/branches`, { branch: 'x', ref });
      expect([ref, status, body]).toEqual([ref, 400, { message: `Invalid reference name: ${ref}` }]);
    }
    for (const [branch, message] of [
      ['main/x', 'Another branch is in the way of this name'],
      ['-x', 'Branch name is invalid'],
    ]) {
      const { status, body } = await forgelog.post(`${empty.at}/branches`, { branch, ref: 'main' });
      expect([branch, status, body]).toEqual([branch, 400, { message }]);
    }
    expect(await forgelog.system.store.head()).toBe(before);
  });

  test('the first one of an empty project brings an initial commit', async () => {
    for (const [branch, ref] of [
      ['feature', 'main'],
      ['main', 'main'],
      ['a/b', 'HEAD'],
      ['c', 'refs/heads/main'],
    ] as const) {
      const project = await newProject(forgelog, `first-${branch.replace('/', '-')}`);
      const { status, body } = await forgelog.post(`${project.at}/branches`, { branch, ref });
      expect([branch, status, body.name]).toEqual([branch, 201, branch]);
      expect(body.default).toBe(branch === 'main');
      expect(body.commit.title).toBe('Add README.md');
      expect(git(project.gitDir, 'log', '--format=%s <%ae>', branch)).toMatch(/^Add README\.md <.+@.+>$/);
      expect(git(project.gitDir, 'ls-tree', '-l', branch)).toMatch(/^100644 blob \w+ +0\tREADME\.md$/);
      const heads = git(project.gitDir, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads');
      expect(heads.split('\n')).toEqual([...new Set([branch, 'main'])].sort());
      expect((await get(`/projects/${project.id}`)).body.default_branch).toBe('main');
      expect((await get(`/projects/${project.id}/events`)).body).toHaveLength(branch === 'main' ? 2 : 3);
    }
  });

  test('concurrent first branches share one initial commit', async () => {
    const project = await newProject(forgelog, 'first-crowd');
    const wanted = ['main', ...Array.from({ length: 12 }, (_, at) => `b-${at}`)];
    const answers = await Promise.all(
      wanted.map((branch) => forgelog.post(`${project.at}/branches`, { branch, ref: 'main' })),
    );
    const [first, ...others] = answers;
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 201));
    expect([201, 400]).toContain(first!.status);
    const tips = git(project.gitDir, 'for-each-ref', '--format=%(objectname)', 'refs/heads').split('\n');
    expect([tips.length, new Set(tips).size]).toEqual([wanted.length, 1]);
  });

  test('the default branch is not deleted, and all merged ones are', async () => {
    const project = await newProject(forgelog, 'merged');
    await fill(forgelog, project, source);
    const refusal = await forgelog.delete(`${project.at}/branches/main`);
    expect([refusal.status, refusal.body]).toEqual([
      403,
      { message: '403 Forbidden - The default branch cannot be deleted' },
    ]);
    const merged = await forgelog.delete(`${project.at}/merged_branches`);
    expect([merged.status, merged.body]).toEqual([202, { message: '202 Accepted' }]);
    expect(names((await get(`${project.at}/branches`)).body)).toEqual(['feature/one', 'main']);
    expect((await forgelog.delete(`${empty.at}/merged_branches`)).status).toBe(202);
  });

  test('one of a hundred concurrent creators succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        forgelog.post(`${odd.at}/branches`, { branch: 'raced', ref: 'main' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(99);
    await forgelog.delete(`${odd.at}/branches/raced`);
  });
});

describe('tags', () => {
  test('are listed by age or name', async () => {
    const format = '--format=%(refname:lstrip=2)';
    const byName = git(source, 'for-each-ref', format, 'refs/tags').split('\n');
    expect(names((await get(`${odd.at}/tags?order_by=name&sort=asc`)).body)).toEqual(byName);
    expect(names((await get(`${odd.at}/tags?order_by=name`)).body)).toEqual(byName.toReversed());
    expect(names((await get(`${odd.at}/tags`)).body)).toEqual(['same-name', 'v1.1.0', 'v1.0.0', 'a-tree']);
    expect(names((await get(`${odd.at}/tags?sort=asc&search=^v`)).body)).toEqual(['v1.0.0', 'v1.1.0']);
    const page = await get(`${odd.at}/tags?per_page=1&page=2`);
    expect([names(page.body), page.headers.get('x-total')]).toEqual([['v1.1.0'], '4']);
    expect((await get(`${empty.at}/tags`)).body).toEqual([]);
  });

  test('are listed by version', async () => {
    const folder = newFolder();
    commitAll(folder, 'Only commit');
    const ordered = ['other', 'v0.9.0', '1.0.0-rc.2', 'v1.0.0-rc.10', 'v1.0.0', 'v1.2', '1.10.0', 'v2'];
    for (const name of ordered.toReversed()) git(folder, 'tag', name);
    const project = await newProject(forgelog, 'versions');
    await fill(forgelog, project, folder);
    removeFolder(folder);
    const at = `${project.at}/tags?order_by=version`;
    expect(names((await get(`${at}&sort=asc`)).body)).toEqual(ordered);
    expect(names((await get(at)).body)).toEqual(ordered.toReversed());
    const page = await get(`${at}&search=^v&per_page=2`);
    expect([names(page.body), page.headers.get('x-total')]).toEqual([['v2', 'v1.2'], '5']);
    expect((await get(`${project.at}/tags?order_by=versions`)).status).toBe(400);
  });

  test('lightweight, annotated, and of other objects than commits', async () => {
    const light = await get(`${odd.at}/tags/v1.0.0`);
    expect(light.body).toMatchObject({
      name: 'v1.0.0',
      message: '',
      target: git(source, 'rev-parse', 'v1.0.0'),
      commit: { id: git(source, 'rev-parse', 'v1.0.0') },
      release: null,
      protected: false,
    });
    const annotated = await get(`${odd.at}/tags/${encode('v1.1.0').replaceAll('.', '%2E')}`);
    expect(annotated.body).toMatchObject({
      message: 'Second\n\nannotated',
      target: git(source, 'rev-parse', 'v1.1.0'),
      commit: { id: git(source, 'rev-parse', 'v1.1.0^{commit}') },
    });
    expect((await get(`${odd.at}/tags/a-tree`)).body.commit).toBeNull();
    for (const name of ['nothing', 'main', ...BAD_NAMES]) {
      const { status, body } = await get(`${odd.at}/tags/${encode(name)}`);
      expect([name, status, body]).toEqual([name, 404, { message: '404 Tag Not Found' }]);
    }
  });

  test('are created, annotated with a message, and deleted', async () => {
    const project = await newProject(forgelog, 'tagging');
    await fill(forgelog, project, source);
    const light = await forgelog.post(`${project.at}/tags`, { tag_name: 'rel/2.0', ref: 'feature/one' });
    expect([light.status, light.body.message]).toEqual([201, '']);
    expect(git(project.gitDir, 'rev-parse', 'refs/tags/rel/2.0')).toBe(
      git(source, 'rev-parse', 'feature/one'),
    );
    const sent = { tag_name: 'v3', ref: 'main', message: 'Größer\n\nund besser' };
    const annotated = await forgelog.post(`${project.at}/tags`, sent);
    expect(annotated.body).toMatchObject({ message: sent.message, name: 'v3' });
    expect(
      git(
        project.gitDir,
        'for-each-ref',
        '--format=%(objecttype) %(taggername)%(taggeremail)',
        'refs/tags/v3',
      ),
    ).toBe('tag Administrator<admin@example.com>');
    expect(git(project.gitDir, 'tag', '-l', '--format=%(contents)', 'v3').trim()).toBe(sent.message);
    expect((await forgelog.post(`${project.at}/tags`, sent)).body).toEqual({
      message: 'Tag v3 already exists',
    });
    const since = (time: string) => ({ headers: { 'If-Unmodified-Since': time } });
    const stale = await forgelog.delete(
      `${project.at}/tags/rel%2F2.0`,
      since('Mon, 01 Jan 2001 00:00:00 GMT'),
    );
    expect(stale.status).toBe(412);
    const unread = since('the day before 1');
    expect((await forgelog.delete(`${project.at}/tags/rel%2F2.0`, unread)).status).toBe(204);
    expect((await forgelog.delete(`${project.at}/tags/rel%2F2.0`)).body).toEqual({
      message: '404 Tag Not Found',
    });
    git(project.gitDir, 'fsck', '--strict');
  });

  test('are refused on creation if invalid', async () => {
    for (const tag_name of UNSAFE_NAMES) {
      const { status, body } = await forgelog.post(`${odd.at}/tags`, { tag_name, ref: 'main' });
      expect([tag_name, status, body]).toEqual([tag_name, 400, { message: 'Tag name invalid' }]);
    }
    for (const tag_name of ID_NAMES) {
      const { status, body } = await forgelog.post(`${odd.at}/tags`, { tag_name, ref: 'main' });
      const message = 'You cannot create a tag with a SHA-1 or SHA-256 tag name.';
      expect([tag_name, status, body]).toEqual([tag_name, 400, { message }]);
    }
    const asDefault = await forgelog.post(`${odd.at}/tags`, { tag_name: 'main', ref: 'main' });
    expect([asDefault.status, asDefault.body]).toEqual([
      400,
      { message: 'You cannot use default branch name to create a tag' },
    ]);
    expect((await forgelog.post(`${odd.at}/tags`, { tag_name: 'x', ref: '-y' })).body).toEqual({
      message: 'Target -y is invalid',
    });
    expect((await forgelog.post(`${odd.at}/tags`, {})).body).toEqual({
      error: 'tag_name is missing, ref is missing',
    });
    expect((await forgelog.post(`${odd.at}/tags`, { tag_name: '', ref: 'main' })).body).toEqual({
      error: 'tag_name is empty',
    });
  });
});

describe('commits', () => {
  type Listed = { id: string };
  const ids = (items: Listed[]) => items.map(({ id }) => id);
  const log = (...args: string[]) =>
    git(source, 'rev-list', ...args)
      .split('\n')
      .filter(Boolean);

  test("equal git's, without totals", async () => {
    for (const [query, args] of [
      ['', ['main']],
      ['ref_name=feature%2Fone', ['feature/one']],
      ['ref_name=v1.0.0..main', ['v1.0.0..main']],
      ['ref_name=main...feature%2Fone', ['main...feature/one']],
      ['all=true', ['--branches', '--tags']],
      ['first_parent=true', ['--first-parent', 'main']],
      ['path=plain.txt', ['main', '--', 'plain.txt']],
      [`path=${encode('Größe')}`, ['main', '--', 'Größe']],
      ['author=Builder', ['--author=Builder', 'main']],
      ['author=.*', ['--fixed-strings', '--author=.*', 'main']],
      ['order=topo', ['--topo-order', 'main']],
    ] as const) {
      const { status, body, headers } = await get(`${odd.at}/commits?${query}`);
      expect([query, status, ids(body)]).toEqual([query, 200, log(...args)]);
      expect(headers.has('x-total')).toBe(false);
    }
    const newest = Number(git(source, 'show', '-s', '--format=%ct', 'v1.1.0^{commit}'));
    const at = new Date(newest * 1000).toISOString();
    expect(ids((await get(`${odd.at}/commits?until=${at}`)).body)).toEqual(log('v1.1.0'));
    expect(ids((await get(`${odd.at}/commits?since=${at}`)).body)).toEqual(
      log(`--max-age=${newest}`, 'main'),
    );
    const second = await get(`${odd.at}/commits?per_page=2&page=2`);
    expect(ids(second.body)).toEqual(log('main').slice(2, 4));
    expect(second.headers.get('x-next-page')).toBe('3');
    const last = await get(`${odd.at}/commits?per_page=2&page=${Math.ceil(log('main').length / 2)}`);
    expect(last.headers.get('x-next-page')).toBe('');
  });

  test('of an empty repository or an unknown ref', async () => {
    expect((await get(`${empty.at}/commits`)).body).toEqual([]);
    expect((await get(`${empty.at}/commits?all=true`)).body).toEqual([]);
    for (const name of ['nothing', 'main..nothing', '-x', '--all', 'main^..main']) {
      const { status, body } = await get(`${odd.at}/commits?ref_name=${encode(name)}`);
      expect([name, status, body]).toEqual([name, 404, { message: '404 Commit Not Found' }]);
    }
    expect((await get(`${odd.at}/commits?path=../..`)).body).toEqual([]);
  });

  test('with statistics and trailers', async () => {
    const folder = folderForTest();
    commitAll(folder, 'Root\n\nChangelog: added\nSigned-off-by: A <a@example.org>');
    const project = await newProject(forgelog, 'trailers');
    await fill(forgelog, project, folder);
    const { body } = await get(`${project.at}/commits?trailers=true&with_stats=true`);
    expect(body[0].trailers).toEqual({ Changelog: 'added', 'Signed-off-by': 'A <a@example.org>' });
    expect(body[0].stats).toEqual({ additions: 0, deletions: 0, total: 0 });
    for (const commit of (await get(`${odd.at}/commits?with_stats=true`)).body) {
      const counts = git(source, 'show', '--numstat', '-M', '--format=', '--first-parent', '-m', commit.id)
        .split('\n')
        .map((line) => line.split('\t').map((field) => Number(field) || 0));
      const sum = (at: number) => counts.reduce((total, fields) => total + (fields[at] ?? 0), 0);
      expect([commit.title, commit.stats]).toEqual([
        commit.title,
        { additions: sum(0), deletions: sum(1), total: sum(0) + sum(1) },
      ]);
    }
  });

  test('one, by any of its names', async () => {
    const id = git(source, 'rev-parse', 'feature/one');
    for (const name of [id, id.slice(0, 9), 'feature/one', 'refs/heads/feature/one']) {
      const { body } = await get(`${odd.at}/commits/${encode(name)}`);
      expect(body).toMatchObject({
        id,
        short_id: id.slice(0, 8),
        parent_ids: [git(source, 'rev-parse', 'feature/one^')],
        author_name: 'Bo Builder',
        title: 'More feature work',
        message: 'More feature work\n',
        project_id: odd.id,
        status: null,
        last_pipeline: null,
        web_url: `${forgelog.url}/root/odd/-/commit/${id}`,
      });
      expect(Object.keys(body.stats)).toEqual(['additions', 'deletions', 'total']);
    }
    expect((await get(`${odd.at}/commits/${id}?stats=false`)).body.stats).toBeUndefined();
    for (const name of [
      'nothing',
      '-x',
      'f'.repeat(40),
      git(source, 'rev-parse', 'main:plain.txt'),
      `${id}^`,
    ])
      expect((await get(`${odd.at}/commits/${encode(name)}`)).body).toEqual({
        message: '404 Commit Not Found',
      });
  });

  test('one with its diff, and the refs that contain it', async () => {
    const { body } = await get(`${odd.at}/commits/feature%2Fone/diff`);
    const changed = git(source, 'diff', '--name-only', 'feature/one^', 'feature/one').split('\n');
    expect(body.map((diff: { new_path: string }) => diff.new_path)).toEqual(changed);
    const root = await get(`${odd.at}/commits/v1.0.0/diff?per_page=2`);
    expect(root.body).toHaveLength(2);
    expect(root.body[0]).toMatchObject({ new_file: true, a_mode: '0' });
    const refs = await get(`${odd.at}/commits/v1.1.0/refs?per_page=100`);
    const contains = (kind: string) =>
      git(source, 'for-each-ref', '--contains=v1.1.0', '--format=%(refname:lstrip=2)', kind).split('\n');
    expect(refs.body).toEqual([
      ...contains('refs/heads').map((name) => ({ type: 'branch', name })),
      ...contains('refs/tags').map((name) => ({ type: 'tag', name })),
    ]);
    const tags = await get(`${odd.at}/commits/v1.1.0/refs?type=tag`);
    expect(tags.body.every((one: { type: string }) => one.type === 'tag')).toBe(true);
  });
});
