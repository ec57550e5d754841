import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { writeOddHistory } from '../support/odd-repository.ts';
import {
  commitAll,
  fill,
  folderForTest,
  git,
  gitBytes,
  newFolder,
  newProject,
  removeFolder,
  type TestProject,
} from '../support/repositories.ts';

const OWN = new URL('../..', import.meta.url).pathname;

let forgelog: Forgelog;
let odd: TestProject;
let own: TestProject;
let empty: TestProject;
let source: string;
let clone: string;

beforeAll(async () => {
  forgelog = await startForgelog();
  source = newFolder();
  writeOddHistory(source);
  odd = await newProject(forgelog, 'odd', { visibility: 'public' });
  await fill(forgelog, odd, source);
  clone = newFolder();
  git(clone, 'pull', '-q', OWN, 'HEAD');
  own = await newProject(forgelog, 'own');
  await fill(forgelog, own, clone);
  empty = await newProject(forgelog, 'empty');
});
afterAll(async () => {
  await forgelog.stop();
  removeFolder(source);
  removeFolder(clone);
});

const get = (path: string) => forgelog.get(path);
const encode = encodeURIComponent;

describe('archives', () => {
  // Five a minute for each caller: each asks once or twice.
  async function archive(path: string) {
    const { token } = await createUser(forgelog);
    const response = await fetch(`${forgelog.url}/api/v4${path}`, { headers: { 'PRIVATE-TOKEN': token } });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  }
  function unpack(bytes: Buffer, suffix: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'forgelog-archive-'));
    const file = join(folder, 'archive');
    writeFileSync(file, bytes);
    const out = newFolder();
    const zipped =
      'import sys,zipfile,os\nz=zipfile.ZipFile(sys.argv[1])\nfor i in z.infolist():\n' +
      ' p=os.path.join(sys.argv[2],i.filename)\n' +
      ' if i.is_dir(): os.makedirs(p,exist_ok=True); continue\n' +
      ' os.makedirs(os.path.dirname(p),exist_ok=True)\n mode=i.external_attr>>16\n' +
      ' if mode&0o170000==0o120000: os.symlink(z.read(i).decode(),p); continue\n' +
      ' open(p,"wb").write(z.read(i)); os.chmod(p,(mode&0o777) or 0o644)';
    if (suffix === 'zip') execFileSync('python3', ['-c', zipped, file, out]);
    else {
      const flag = suffix === 'tar' ? '-x' : suffix === 'tar.gz' ? '-xz' : '-xj';
      execFileSync('tar', ['-C', out, flag, '-f', file]);
    }
    removeFolder(folder);
    return out;
  }

  test.each(['', '.tar.gz', '.tar.bz2', '.tbz', '.tbz2', '.tb2', '.bz2', '.tar', '.zip'])(
    'archive%s holds the files of the commit',
    async (suffix) => {
      const { response, bytes } = await archive(`${odd.at}/archive${suffix}`);
      expect(response.status).toBe(200);
      const kind = suffix === '' ? 'tar.gz' : suffix.slice(1);
      const oid = git(source, 'rev-parse', 'main');
      expect(response.headers.get('content-disposition')).toContain(
        `attachment; filename="odd-main-${oid}.${kind}"`,
      );
      const out = unpack(bytes, kind);
      git(out, 'config', 'core.autocrlf', 'false');
      git(out, `--work-tree=${join(out, `odd-main-${oid}`)}`, 'add', '-A', '-f');
      expect(git(out, 'write-tree')).toBe(git(source, 'rev-parse', 'main^{tree}'));
      removeFolder(out);
    },
  );

  test('of a branch, a tag, a commit and a folder', async () => {
    for (const ref of ['feature/one', 'v1.1.0', git(source, 'rev-parse', 'v1.0.0')]) {
      const { response, bytes } = await archive(`${odd.at}/archive.tar?sha=${encode(ref)}`);
      const oid = git(source, 'rev-parse', `${ref}^{commit}`);
      const folder = ref === oid ? `odd-${oid}` : `odd-${ref.replace('/', '-')}-${oid}`;
      expect(response.headers.get('content-disposition')).toContain(`filename="${folder}.tar"`);
      const out = unpack(bytes, 'tar');
      git(out, `--work-tree=${join(out, folder)}`, 'add', '-A', '-f');
      expect(git(out, 'write-tree')).toBe(git(source, 'rev-parse', `${oid}^{tree}`));
      removeFolder(out);
    }
    const { bytes } = await archive(`${odd.at}/archive.tar?path=${encode('Größe')}`);
    const out = unpack(bytes, 'tar');
    expect(execFileSync('find', [out, '-name', '*.md']).toString()).toContain('日本語.md');
    expect(execFileSync('find', [out, '-name', 'plain.txt']).toString()).toBe('');
    removeFolder(out);
  });

  test('a client disconnect stops git', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'noise'), randomBytes(12 * 1024 * 1024));
    const oid = commitAll(folder, 'Much that packs badly');
    const project = await newProject(forgelog, 'much', { visibility: 'public' });
    await fill(forgelog, project, folder);
    removeFolder(folder);
    const running = () =>
      readdirSync('/proc').filter((id) => {
        if (!/^\d+$/.test(id)) return false;
        try {
          return readFileSync(`/proc/${id}/cmdline`, 'latin1').includes(`much-main-${oid}`);
        } catch {
          return false; // ended meanwhile
        }
      });
    const { token } = await createUser(forgelog);
    const leave = new AbortController();
    const response = await fetch(`${forgelog.url}/api/v4${project.at}/archive.tar.bz2`, {
      headers: { 'PRIVATE-TOKEN': token },
      signal: leave.signal,
    });
    await response.body!.getReader().read();
    expect(running()).not.toEqual([]);
    leave.abort();
    await expect.poll(running).toEqual([]);
  });

  test('that are not possible', async () => {
    for (const [path, status, body] of [
      [`${odd.at}/archive?sha=nothing`, 404, { message: '404 File Not Found' }],
      [`${odd.at}/archive.zip?sha=--output%3D/tmp/x`, 404, { message: '404 File Not Found' }],
      [`${odd.at}/archive.zip?path=../..`, 404, { message: '404 File Not Found' }],
      [`${empty.at}/archive`, 404, { message: '404 Project Not Found' }],
      [`${odd.at}/archive.rar`, 404, { error: '404 Not Found' }],
    ] as const) {
      const { response, bytes } = await archive(path);
      expect([path, response.status, JSON.parse(bytes.toString())]).toEqual([path, status, body]);
    }
    expect((await get(`${empty.at}/archive`)).body).toEqual({ message: '404 File Not Found' });
  });
});

describe('comparisons', () => {
  type Diff = { old_path: string; new_path: string; a_mode: string; b_mode: string; diff: string } & Record<
    'new_file' | 'renamed_file' | 'deleted_file',
    boolean
  >;

  test.each([
    ['main', 'feature/one', false],
    ['feature/one', 'main', false],
    ['feature/one', 'main', true],
    ['v1.0.0', 'main', false],
    ['v1.0.0', 'feature/one', true],
  ])('%s...%s, straight: %s', async (from, to, straight) => {
    const { status, body } = await get(
      `${odd.at}/compare?from=${encode(from)}&to=${encode(to)}&straight=${straight}`,
    );
    expect(status).toBe(200);
    const ids = git(source, 'rev-list', '--reverse', `${from}..${to}`).split('\n').filter(Boolean);
    expect(body.commits.map((commit: { id: string }) => commit.id)).toEqual(ids);
    expect(body.commit).toEqual(body.commits.at(-1) ?? null);
    expect(body).toMatchObject({ compare_timeout: false, compare_same_ref: false });
    const base = straight ? from : git(source, 'merge-base', from, to);
    const summary = gitBytes(source, 'diff', '-M', '--raw', '--full-index', '-z', base, to)
      .toString()
      .split('\0')
      .filter(Boolean);
    const wanted: unknown[] = [];
    for (let at = 0; at < summary.length; ) {
      const [aMode, bMode, , , status] = summary[at++]!.slice(1).split(' ') as string[];
      const oldPath = summary[at++]!;
      const newPath = status!.startsWith('R') ? summary[at++]! : oldPath;
      const mode = (text: string) => (text === '000000' ? '0' : text);
      wanted.push([oldPath, newPath, mode(aMode!), mode(bMode!), status![0]]);
    }
    const kind = (diff: Diff) =>
      diff.new_file ? 'A' : diff.deleted_file ? 'D' : diff.renamed_file ? 'R' : 'M';
    expect(
      body.diffs.map((diff: Diff) => [diff.old_path, diff.new_path, diff.a_mode, diff.b_mode, kind(diff)]),
    ).toEqual(wanted);
    for (const diff of body.diffs as Diff[]) {
      const patch = git(
        source,
        '--literal-pathspecs',
        'diff',
        '-M',
        base,
        to,
        '--',
        diff.old_path,
        diff.new_path,
      );
      const hunks = patch.search(/^(@@|Binary files) /m);
      expect(diff.diff).toBe(hunks < 0 ? '' : `${patch.slice(hunks)}\n`);
    }
  });

  test('patches apply to what was compared (own history)', async () => {
    const ids = git(clone, 'rev-list', '--first-parent', 'main').split('\n');
    const [to, from] = [ids[0]!, ids.at(-1)!];
    const { body } = await get(`${own.at}/compare?from=${from}&to=${to}`);
    const patch = (body.diffs as Diff[])
      .filter(({ diff, renamed_file }) => diff !== '' && !diff.startsWith('Binary') && !renamed_file)
      .map(
        ({ old_path, new_path, new_file, deleted_file, diff, b_mode }) =>
          `diff --git a/${old_path} b/${new_path}\n` +
          `${new_file ? `new file mode ${b_mode}\n` : ''}${deleted_file ? 'deleted file mode 100644\n' : ''}` +
          `--- ${new_file ? '/dev/null' : `a/${old_path}`}\n+++ ${deleted_file ? '/dev/null' : `b/${new_path}`}\n${diff}`,
      )
      .join('');
    const work = newFolder();
    git(work, 'pull', '-q', clone, 'main');
    git(work, 'checkout', '-q', from);
    writeFileSync(join(work, '.git', 'patch'), patch);
    git(work, 'apply', '--index', '.git/patch');
    const idsOf = (lines: string) =>
      new Map(lines.split('\n').map((line) => [line.split('\t')[1], /[0-9a-f]{40}/.exec(line)![0]]));
    const applied = idsOf(git(work, 'ls-files', '-s'));
    const wanted = idsOf(git(clone, 'ls-tree', '-r', 'main'));
    for (const { new_path, deleted_file, renamed_file, diff } of body.diffs as Diff[]) {
      if (deleted_file || renamed_file || diff === '' || diff.startsWith('Binary')) continue;
      expect([new_path, applied.get(new_path)]).toEqual([new_path, wanted.get(new_path)]);
    }
    removeFolder(work);
  });

  test('commits are in their short form', async () => {
    const { body } = await get(`${odd.at}/compare?from=v1.0.0&to=main`);
    for (const commit of body.commits)
      expect(Object.keys(commit).sort()).toEqual(
        ['author_email', 'author_name', 'created_at', 'id', 'short_id', 'title'].sort(),
      );
  });

  test('of a commit with itself, by any of its names', async () => {
    for (const [from, to] of [
      ['main', 'main'],
      ['main', 'ünï.code'],
    ] as const) {
      expect((await get(`${odd.at}/compare?from=${encode(from)}&to=${encode(to)}`)).body).toEqual({
        commit: null,
        commits: [],
        diffs: [],
        compare_timeout: false,
        compare_same_ref: true,
      });
    }
  });

  test('without a common ancestor everything is new', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'a'), 'a\n');
    commitAll(folder, 'one');
    git(folder, 'checkout', '-q', '--orphan', 'other');
    writeFileSync(join(folder, 'b'), 'b\n');
    commitAll(folder, 'other');
    const project = await newProject(forgelog, 'two-roots');
    await fill(forgelog, project, folder);
    const { body } = await get(`${project.at}/compare?from=main&to=other`);
    expect(body.diffs.map((diff: Diff) => diff.new_path)).toEqual(['a', 'b']);
    const merge = await get(`${project.at}/merge_base?refs[]=main&refs[]=other`);
    expect([merge.status, merge.body]).toEqual([404, { message: '404 Merge Base Not Found' }]);
    removeFolder(folder);
  });

  test('with missing or unknown refs', async () => {
    expect((await get(`${odd.at}/compare`)).body).toEqual({ error: 'from is missing, to is missing' });
    expect((await get(`${odd.at}/compare?from=main&to=`)).body).toEqual({ error: 'to is empty' });
    for (const query of ['from=main&to=nothing', 'from=-p&to=main', 'from=main..v1.0.0&to=main'])
      expect((await get(`${odd.at}/compare?${query}`)).body).toEqual({ message: '404 Ref Not Found' });
  });
});

describe('contributors', () => {
  type Named = { email: string; name: string };
  test.each([
    ['odd', () => odd, () => source],
    ['own', () => own, () => clone],
  ])('are those of shortlog without merges (%s)', async (_, project, folder) => {
    const wanted = git(folder(), 'shortlog', '-sne', '--no-merges', 'HEAD')
      .split('\n')
      .map((line) => /^\s*(\d+)\t(.*) <(.*)>$/.exec(line)!)
      .map(([, commits, name, email]) => ({
        name: name!,
        email: email!,
        commits: Number(commits),
        additions: 0,
        deletions: 0,
      }));
    const found = await get(`${project().at}/contributors?per_page=100`);
    expect(found.body.map((one: { commits: number }) => one.commits)).toEqual(
      wanted.map(({ commits }) => commits).sort((a, b) => a - b),
    );
    const identity = ({ email, name }: Named) => `${email}\n${name}`;
    const byEmail = (a: Named, b: Named) => (identity(a) < identity(b) ? -1 : 1);
    expect(found.body.toSorted(byEmail)).toEqual(wanted.toSorted(byEmail));
    const names = await get(`${project().at}/contributors?order_by=name&sort=desc`);
    expect(names.body.map((one: { name: string }) => one.name)).toEqual(
      wanted
        .map(({ name }) => name)
        .sort()
        .reverse(),
    );
    const emails = await get(`${project().at}/contributors?order_by=email&per_page=1&page=2`);
    expect(emails.body).toEqual(wanted.toSorted(byEmail).slice(1, 2));
    expect(emails.headers.get('x-total')).toBe(String(wanted.length));
  });

  test('a user who only merged is not a contributor', async () => {
    const folder = folderForTest();
    commitAll(folder, 'First');
    git(folder, 'checkout', '-q', '-b', 'side');
    commitAll(folder, 'Second');
    git(folder, 'checkout', '-q', 'main');
    git(folder, 'merge', '-q', '--no-ff', '-m', 'Merge side', 'side');
    git(folder, 'commit', '-q', '--amend', '--no-edit', '--author=Mo Merger <mo@example.org>');
    const project = await newProject(forgelog, 'merged');
    await fill(forgelog, project, folder);
    expect((await get(`${project.at}/contributors`)).body).toEqual([
      { name: 'Ann Author', email: 'ann@example.org', commits: 2, additions: 0, deletions: 0 },
    ]);
  });

  test('an empty list, and an invalid order', async () => {
    expect((await get(`${empty.at}/contributors`)).body).toEqual([]);
    expect((await get(`${odd.at}/contributors?order_by=age`)).body).toEqual({
      error: 'order_by does not have a valid value',
    });
  });
});

describe('merge bases', () => {
  test("equal git's, for two refs and for more", async () => {
    for (const refs of [
      ['main', 'feature/one'],
      ['v1.1.0', 'main'],
      ['main', 'feature/one', 'v1.0.0'],
      ['merged-away', git(source, 'rev-parse', 'feature/one'), 'v1.1.0'],
    ]) {
      const query = refs.map((ref) => `refs[]=${encode(ref)}`).join('&');
      const { status, body } = await get(`${odd.at}/merge_base?${query}`);
      expect(status).toBe(200);
      const id = git(source, 'merge-base', '--octopus', ...refs);
      const format = '--format=%H%n%P%n%s%n%an%n%ae%n%cn%n%ce%n%at%n%ct';
      const [hash, parents, title, an, ae, cn, ce, at, ct] = git(source, 'show', '-s', format, id).split(
        '\n',
      );
      expect(body).toEqual({
        id: hash,
        short_id: id.slice(0, 8),
        parent_ids: parents!.split(' ').filter(Boolean),
        title,
        message: `${git(source, 'show', '-s', '--format=%B', id).trimEnd()}\n`,
        author_name: an,
        author_email: ae,
        committer_name: cn,
        committer_email: ce,
        authored_date: new Date(Number(at) * 1000).toISOString(),
        committed_date: new Date(Number(ct) * 1000).toISOString(),
        created_at: new Date(Number(ct) * 1000).toISOString(),
      });
    }
  });

  test('need two refs that exist', async () => {
    for (const [query, error] of [
      ['', { error: 'refs is missing' }],
      ['refs[]=main', { message: 'Provide at least 2 refs' }],
      ['refs[]=main&refs[]=x', { message: 'Could not find ref: x' }],
      ['refs[]=y&refs[]=-x&refs[]=main', { message: 'Could not find refs: y, -x' }],
      ['refs[]=main&refs[]=', { message: 'Could not find ref: ' }],
    ] as const) {
      const answer = await get(`${odd.at}/merge_base?${query}`);
      expect([query, answer.status, answer.body]).toEqual([query, 400, error]);
    }
  });
});
