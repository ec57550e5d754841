import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { ODD_PATHS, writeOddHistory } from '../support/odd-repository.ts';
import {
  fill,
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
});
afterAll(async () => {
  await forgelog.stop();
  removeFolder(source);
  removeFolder(clone);
});

const get = (path: string) => forgelog.get(path);
const raw = async (path: string) => {
  const response = await fetch(`${forgelog.url}/api/v4${path}`, {
    headers: { 'PRIVATE-TOKEN': forgelog.rootToken },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};
const file = (project: TestProject, path: string) => `${project.at}/files/${encodeURIComponent(path)}`;

describe('trees', () => {
  type Entry = { id: string; name: string; type: string; path: string; mode: string };
  const lsTree = (folder: string, ...args: string[]): Entry[] => {
    const lines = gitBytes(folder, 'ls-tree', '-z', ...args)
      .toString()
      .split('\0')
      .filter(Boolean);
    const entries = lines.map((line) => {
      const [, mode, type, id, path] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(line)!;
      return { id: id!, name: path!.split('/').at(-1)!, type: type!, path: path!, mode: mode! };
    });
    return ['tree', 'blob', 'commit'].flatMap((type) => entries.filter((entry) => entry.type === type));
  };

  test.each([
    ['odd', () => odd, () => source],
    ['own', () => own, () => clone],
  ])("equal git's, page by page (%s)", async (_, project, folder) => {
    const wanted = lsTree(folder(), '-r', '-t', 'HEAD');
    const found: Entry[] = [];
    for (let page = '1'; page !== ''; ) {
      const answer = await get(`${project().at}/tree?recursive=true&per_page=100&page=${page}`);
      expect(answer.headers.get('x-total')).toBe(String(wanted.length));
      found.push(...answer.body);
      page = answer.headers.get('x-next-page')!;
    }
    expect(found.map(({ id, mode, type }) => [id, mode, type])).toEqual(
      wanted.map(({ id, mode, type }) => [id, mode, type]),
    );
    expect(found.map(({ path }) => path)).toEqual(wanted.map(({ path }) => path));
  });

  test('of a folder, a branch or by default the default branch, in pages of twenty', async () => {
    const top = await get(`${odd.at}/tree`);
    expect(top.body).toEqual(lsTree(source, 'main').slice(0, 20));
    expect(top.headers.get('x-per-page')).toBe('20');
    const folder = await get(`${odd.at}/tree?path=${encodeURIComponent('Größe')}&ref=feature%2Fone`);
    expect(folder.body).toEqual(lsTree(source, 'feature/one', 'Größe/'));
    expect((await get(`${odd.at}/tree?path=deep/er/`)).body).toEqual(
      lsTree(source, 'main', 'deep/').length > 0 ? (await get(`${odd.at}/tree?path=deep%2Fer`)).body : [],
    );
  });

  test('that do not exist', async () => {
    for (const query of [
      'ref=nothing',
      'path=nothing',
      'path=plain.txt',
      'path=../..',
      'path=deep/../deep',
    ]) {
      const answer = await get(`${odd.at}/tree?${query}`);
      expect([query, answer.status, answer.body]).toEqual([query, 404, { message: '404 Tree Not Found' }]);
    }
    const empty = await newProject(forgelog, 'empty-tree');
    expect((await get(`${empty.at}/tree`)).status).toBe(404);
  });
});

describe('files', () => {
  test.each(ODD_PATHS)('record of %s', async (path) => {
    const { status, body, headers } = await get(`${file(odd, path)}?ref=v1.1.0`);
    expect(status).toBe(200);
    const content = gitBytes(source, 'cat-file', 'blob', `v1.1.0:${path}`);
    expect(body).toEqual({
      file_name: path.split('/').at(-1),
      file_path: path,
      size: content.length,
      encoding: 'base64',
      content: content.toString('base64'),
      content_sha256: createHash('sha256').update(content).digest('hex'),
      ref: 'v1.1.0',
      blob_id: git(source, 'rev-parse', `v1.1.0:${path}`),
      commit_id: git(source, 'rev-parse', 'v1.1.0^{commit}'),
      last_commit_id: git(source, '--literal-pathspecs', 'rev-list', '-1', 'v1.1.0', '--', path),
    });
    expect(headers.get('content-type')).toBe('application/json');
  });

  test.each([0, 1, 2])(
    'record of a file that is streamed, of %i bytes beyond a multiple of three',
    async (more) => {
      const content = randomBytes(3 * 500_000 + more);
      const path = `large-${more}.bin`;
      const sent = { branch: 'main', commit_message: 'Large', content: content.toString('base64') };
      const large = await newProject(forgelog, `large-${more}`);
      const created = await forgelog.post(file(large, path), { ...sent, encoding: 'base64' });
      expect(created.status).toBe(201);
      const answer = await get(`${file(large, path)}?ref=main`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('content-length')).toBe(String(answer.text.length));
      expect(answer.body).toMatchObject({ file_path: path, size: content.length, encoding: 'base64' });
      expect(answer.body.content_sha256).toBe(createHash('sha256').update(content).digest('hex'));
      expect(answer.headers.get('x-gitlab-content-sha256')).toBe(answer.body.content_sha256);
      expect(Buffer.from(answer.body.content, 'base64').equals(content)).toBe(true);
      expect(answer.body.content).toBe(sent.content);
      const headers = { 'If-None-Match': answer.headers.get('etag')! };
      expect((await forgelog.get(`${file(large, path)}?ref=main`, { headers })).status).toBe(304);
    },
  );

  test('raw bytes are unchanged and harmless to a browser', async () => {
    const table = [
      ['plain.txt', 'text/plain; charset=utf-8', 'inline'],
      ['empty', 'text/plain; charset=utf-8', 'inline'],
      ['latin1.txt', 'text/plain; charset=utf-8', 'inline'],
      ['script.sh', 'text/plain; charset=utf-8', 'inline'],
      ['binary.bin', 'application/octet-stream', 'attachment'],
    ] as const;
    for (const [path, type, kind] of table) {
      const { response, bytes } = await raw(`${file(odd, path)}/raw`);
      expect(bytes.equals(gitBytes(source, 'cat-file', 'blob', `main:${path}`))).toBe(true);
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-disposition')).toBe(
        `${kind}; filename="${path}"; filename*=UTF-8''${path}`,
      );
    }
    const { response } = await raw(`${file(odd, 'quote\'"s.txt')}/raw?ref=v1.0.0`);
    expect(response.headers.get('content-disposition')).toBe(
      `inline; filename="quote'_s.txt"; filename*=UTF-8''quote%27%22s.txt`,
    );
    const known = response.headers.get('etag')!;
    const again = await fetch(response.url, {
      headers: { 'PRIVATE-TOKEN': forgelog.rootToken, 'If-None-Match': known },
    });
    expect(again.status).toBe(304);
  });

  test('HEAD describes a file in nine headers, twice for stock clients', async () => {
    const path = 'Größe/日本語.md';
    const { body } = await get(`${file(odd, path)}?ref=feature%2Fone`);
    for (const suffix of ['', '/blame', '/raw']) {
      const head = await forgelog.call('HEAD', `${file(odd, path)}${suffix}?ref=feature%2Fone`);
      expect(head.status).toBe(200);
      expect(head.text).toBe('');
      const bytes = (text: string) => Buffer.from(text).toString('latin1');
      for (const prefix of ['X-Service', 'X-Gitlab']) {
        const of = (name: string) => head.headers.get(`${prefix}-${name}`);
        expect({
          blob_id: of('Blob-Id'),
          commit_id: of('Commit-Id'),
          content_sha256: of('Content-Sha256'),
          encoding: of('Encoding'),
          file_name: of('File-Name'),
          file_path: of('File-Path'),
          last_commit_id: of('Last-Commit-Id'),
          ref: of('Ref'),
          size: Number(of('Size')),
          content: body.content,
        }).toEqual({ ...body, file_name: bytes(body.file_name), file_path: bytes(body.file_path) });
      }
    }
    const head = await forgelog.call('HEAD', `${file(odd, 'plain.txt')}/raw`);
    expect(head.headers.get('x-service-ref')).toBe('main');
    const tab = await forgelog.call('HEAD', `${file(odd, 'tab\there.txt')}?ref=main`);
    expect(tab.headers.get('x-service-file-name')).toBe('tab%09here.txt');
  });

  test('ref is required except for raw content', async () => {
    const path = file(odd, 'plain.txt');
    for (const suffix of ['', '/blame']) {
      expect((await get(path + suffix)).body).toEqual({ error: 'ref is missing' });
      expect((await get(`${path}${suffix}?ref=`)).body).toEqual({ error: 'ref is empty' });
      expect((await forgelog.call('HEAD', path + suffix)).status).toBe(400);
    }
    expect((await get(`${path}/raw`)).status).toBe(200);
    expect((await get(`${path}/raw?ref=`)).status).toBe(200);
  });

  test('blame names the commit of each line', async () => {
    for (const [project, folder, path, ref] of [
      [odd, source, 'plain.txt', 'main'],
      [odd, source, 'no-newline', 'main'],
      [odd, source, 'empty', 'main'],
      [odd, source, 'link', 'main'],
      [odd, source, 'deep/moved.rb', 'feature/one'],
      [own, clone, 'README.md', 'HEAD'],
      [own, clone, 'package.json', 'HEAD'],
    ] as const) {
      const { status, body } = await get(`${file(project, path)}/blame?ref=${encodeURIComponent(ref)}`);
      expect([path, status]).toEqual([path, 200]);
      const porcelain = git(folder, '--literal-pathspecs', 'blame', '--line-porcelain', ref, '--', path);
      const wanted: [string, string][] = [];
      let commit = '';
      for (const line of porcelain.split('\n')) {
        if (/^[0-9a-f]{40} /.test(line)) commit = line.slice(0, 40);
        else if (line.startsWith('\t')) wanted.push([commit, line.slice(1)]);
      }
      type Range = { commit: { id: string }; lines: string[] };
      const found = (body as Range[]).flatMap((range) =>
        range.lines.map((line): [string, string] => [range.commit.id, line]),
      );
      expect(found).toEqual(wanted);
      // Consecutive lines of one commit are one range.
      for (let at = 1; at < body.length; at += 1) expect(body[at].commit.id).not.toBe(body[at - 1].commit.id);
    }
    const [range] = (await get(`${file(odd, 'plain.txt')}/blame?ref=v1.0.0`)).body;
    const id = git(source, 'rev-parse', 'v1.0.0');
    expect(range.commit).toMatchObject({
      id,
      parent_ids: [],
      message: 'First: everything odd\n\nWith a body.\n',
      author_name: 'Ann Author',
      author_email: 'ann@example.org',
      committer_name: 'Carl Committer',
      committer_email: 'carl@example.org',
    });
    expect(Date.parse(range.commit.authored_date) / 1000).toBe(
      Number(git(source, 'show', '-s', '--format=%at', id)),
    );
  });

  test('a branch takes precedence over a tag, and both over an abbreviated commit', async () => {
    const { body } = await get(`${file(odd, 'plain.txt')}?ref=same-name`);
    expect(body.commit_id).toBe(git(source, 'rev-parse', 'refs/heads/same-name'));
    const tag = await get(`${file(odd, 'plain.txt')}?ref=refs%2Ftags%2Fsame-name`);
    expect(tag.body.commit_id).toBe(git(source, 'rev-parse', 'refs/tags/same-name^{commit}'));
    const id = git(source, 'rev-parse', 'main');
    for (const ref of [id, id.slice(0, 8), id.toUpperCase(), 'HEAD', 'ünï.code', '100%']) {
      const answer = await get(`${file(odd, 'plain.txt')}?ref=${encodeURIComponent(ref)}`);
      expect([ref, answer.body.commit_id]).toEqual([ref, id]);
    }
    const annotated = await get(`${file(odd, 'plain.txt')}?ref=v1.1.0`);
    expect(annotated.body.commit_id).toBe(git(source, 'rev-parse', 'v1.1.0^{commit}'));
  });

  test.each([
    ['no-such-file', 'main', '404 File Not Found'],
    ['deep', 'main', '404 File Not Found'],
    ['../../etc/passwd', 'main', '404 File Not Found'],
    ['deep/../plain.txt', 'main', '404 File Not Found'],
    ['plain.txt', 'no-such-branch', '404 Commit Not Found'],
    ['plain.txt', '--upload-pack=touch /tmp/x', '404 Commit Not Found'],
    ['plain.txt', '-h', '404 Commit Not Found'],
    ['plain.txt', 'main~1', '404 Commit Not Found'],
    ['plain.txt', 'main^', '404 Commit Not Found'],
    ['plain.txt', 'main:deep', '404 Commit Not Found'],
    ['plain.txt', ':/First', '404 Commit Not Found'],
    ['plain.txt', '@{-1}', '404 Commit Not Found'],
    ['plain.txt', 'main@{1.day.ago}', '404 Commit Not Found'],
    ['plain.txt', '../../HEAD', '404 Commit Not Found'],
    ['plain.txt', 'refs/heads/../../HEAD', '404 Commit Not Found'],
    ['plain.txt', 'a\nb', '404 Commit Not Found'],
    ['plain.txt', 'a-tree', '404 Commit Not Found'],
  ])('%s at %s is not there', async (path, ref, message) => {
    const answer = await get(`${file(odd, path)}?ref=${encodeURIComponent(ref)}`);
    expect([answer.status, answer.body]).toEqual([404, { message }]);
  });

  test('a malformed request is refused', async () => {
    for (const [path, status] of [
      ['/files/%ff?ref=main', 404],
      ['/files/%?ref=main', 404],
      ['/files/%2e%2e%2f%2e%2e%2fHEAD?ref=main', 404],
      [`/files/${'a'.repeat(9000)}?ref=main`, 404],
      [`/files/${'a%2F'.repeat(2000)}?ref=main`, 404],
      ['/files/plain.txt?ref=%ff', 400],
      ['/files/plain.txt?ref[]=main', 400],
      ['/archive.', 404],
      ['/archive.tar.gz.zip', 404],
    ] as const)
      expect([path, (await get(odd.at + path)).status]).toEqual([path, status]);
  });

  test('a NUL is refused in a name', async () => {
    expect((await get(`${odd.at}/files/a%00b?ref=main`)).body).toEqual({ error: 'file_path is invalid' });
    expect((await get(`${file(odd, 'plain.txt')}?ref=a%00b`)).body).toEqual({ error: 'ref is invalid' });
  });
});

describe('blobs', () => {
  test('by id, in JSON and raw', async () => {
    for (const path of ['binary.bin', 'plain.txt', 'empty', 'link']) {
      const sha = git(source, 'rev-parse', `main:${path}`);
      const content = gitBytes(source, 'cat-file', 'blob', sha);
      const { body } = await get(`${odd.at}/blobs/${sha}`);
      expect(body).toEqual({
        sha,
        size: content.length,
        encoding: 'base64',
        content: content.toString('base64'),
      });
      expect((await raw(`${odd.at}/blobs/${sha}/raw`)).bytes.equals(content)).toBe(true);
    }
  });

  test('that do not exist or are no blobs', async () => {
    const commit = git(source, 'rev-parse', 'main');
    for (const sha of [commit, 'f'.repeat(40), 'main', '-p', 'HEAD:plain.txt', `${commit}:plain.txt`]) {
      for (const suffix of ['', '/raw']) {
        const answer = await get(`${odd.at}/blobs/${encodeURIComponent(sha)}${suffix}`);
        expect([sha, answer.status, answer.body]).toEqual([sha, 404, { message: '404 Blob Not Found' }]);
      }
    }
  });
});
