import { execFileSync } from 'node:child_process';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settleUser } from '../support/inhabitants.ts';
import { must } from '../support/must.ts';
import { git, newFolder, removeFolder } from '../support/repositories.ts';
import { inBatches, notRefused, notSound, send } from '../support/wire.ts';
import { createWorld, type World } from '../support/world.ts';
import { unchanged } from './unchanged.ts';
import { addressOf, inBody, validCall } from './valid-calls.ts';

let world: World;
/** The project that all of this is tried on. */
let project: string;
beforeAll(async () => {
  world = await createWorld();
  project = `/projects/${world.places.private.projectId}`;
});
afterAll(() => world.forgelog.stop());

/** Names that no ref has, and that git, a shell or a file system would each take for something else. */
const REFS = [
  '-x',
  '--upload-pack=touch x',
  '--output=x',
  '--all',
  'main^',
  'main~1',
  'main^{}',
  'main^{tree}',
  'main@{0}',
  'main@{upstream}',
  '@{-1}',
  '@{1 day ago}',
  ':/First',
  ':README.md',
  'main:README.md',
  'main..feature',
  'main...feature',
  '..main',
  '^main',
  'refs/../HEAD',
  'refs/heads/../../HEAD',
  '../../../etc/passwd',
  '/etc/passwd',
  '..',
  '.',
  '.git/HEAD',
  '*',
  'ma?n',
  'ma[i]n',
  ':(glob)**',
  'main\n',
  'main\nHEAD',
  ' main',
  'main ',
  'ma\tin',
  'ma\x7fin',
  'main.lock',
  '.main',
  'a//b',
  'a/',
  '/a',
  'a..b',
  'a\\b',
  'refs/heads/',
  'refs/heads',
  'refs/heads/main.lock',
  'refs/keep-around/x',
  'refs/remotes/origin/main',
  'f'.repeat(40),
  'F'.repeat(40),
  '0'.repeat(40),
  'x'.repeat(251),
  'é'.repeat(300),
];

/** What git has files for beside its refs; here they are names like any other, of which none is there. */
const FILES_OF_GIT = ['FETCH_HEAD', 'ORIG_HEAD', 'config', 'objects/info', 'packed-refs', '\ufffd'];

/** What could be a branch elsewhere and must not become one here. */
const NOT_CREATABLE = ['HEAD', '@', 'refs/heads/x', 'refs/tags/x', 'a'.repeat(40), '-', '--', ...REFS];

const IS_REF = new Set([
  'ref',
  'branch',
  'tag_name',
  'from',
  'to',
  'ref_name',
  'sha',
  'refs',
  'start_branch',
  'start_sha',
]);
/** Only pick from names that are there already; git is not asked. */
const FILTERS = new Set(['commit-status-list ref']);
const OF_GIT = endpoints.filter(({ path }) => path.includes('/repository'));

/** Each parameter that names a ref, of each endpoint that has one. */
const refParams = OF_GIT.flatMap((endpoint) =>
  Object.keys(endpoint.params)
    .filter((name) => IS_REF.has(name) && !FILTERS.has(`${endpoint.id} ${name}`))
    .map((name) => [endpoint.id, name, endpoint] as const),
);

/** Archives are limited to five a minute for a user: here are enough users for all that is asked. */
const tokens: string[] = [];
let archives = 0;
beforeAll(async () => {
  const OF_ARCHIVES = 2 * (REFS.length + FILES_OF_GIT.length + PATHS.length) + 5;
  for (let at = 0; at * 5 < OF_ARCHIVES; at += 1)
    tokens.push((await settleUser(world.forgelog, `archiver-${at}`, { admin: true })).token);
});
const nextToken = () => tokens[Math.floor(archives++ / 5)]!;

async function call(endpoint: AnyEndpoint, given: Record<string, unknown>) {
  const { method, inPath, rest } = await validCall(endpoint, world, world.places.private);
  const path = { ...inPath };
  const others: Record<string, unknown> = { ...rest };
  for (const [name, value] of Object.entries(given)) {
    if (name in path) path[name] = value as string;
    else others[name] = value;
  }
  const body = inBody(endpoint);
  const token = endpoint.id.startsWith('repo-archive') ? nextToken() : undefined;
  return send(world.forgelog, method, addressOf(endpoint, path, body ? {} : others), {
    token,
    json: body ? others : undefined,
  });
}

describe.each(refParams)('%s: %s', (id, name, endpoint) => {
  const creates =
    (id === 'branch-create' && name === 'branch') || (id === 'tag-create' && name === 'tag_name');
  const begins =
    ['file-create', 'file-update', 'file-delete', 'commit-create'].includes(id) && name === 'branch';

  // Lists of commits take a range of two.
  const isNoRange = (value: string) => id !== 'commit-list' || !/^(main|)\.{2,3}\w*$/.test(value);

  test('nothing that is no ref is taken for one', async () => {
    const names = creates || begins ? NOT_CREATABLE : [...REFS, ...FILES_OF_GIT].filter(isNoRange);
    // Records that its path names are made before.
    await validCall(endpoint, world, world.places.private);
    const wrong = await unchanged(world.forgelog, () =>
      inBatches(names, async (value) => {
        const given = { [name]: name === 'refs' ? ['main', value] : value };
        const problem = notRefused(await call(endpoint, given), endpoint.method);
        return problem && `${JSON.stringify(value)} ${problem}`;
      }),
    );
    expect(wrong.filter(Boolean)).toEqual([]);
  });
});

/** Ways to write a path that leads elsewhere; each is one parameter, encoded once more on its way. */
const PATHS = [
  '../README.md',
  '../../../../etc/passwd',
  'a/../README.md',
  'a/../../README.md',
  './README.md',
  'a/./b',
  '..',
  '.',
  '%2e%2e%2fREADME.md',
  '..%2f..%2fetc%2fpasswd',
  '%252e%252e%252fetc',
  '..\\..\\windows',
  'C:\\windows',
  '.git/config',
  '.GIT/config',
  '.Git/hooks/post-receive',
  'a/.git/config',
  'git~1/config',
  'GIT~1',
  '.git./config',
  '.git /config',
  '.git::$INDEX_ALLOCATION/config',
  '.g\u200cit/config',
  '.gi\u200dt/config',
  'nul\0byte',
  'a'.repeat(300),
  `${'a/'.repeat(3000)}b`,
  '\ufffd',
];

const FILE_PARAMS = OF_GIT.flatMap((endpoint) =>
  ['file_path', 'path', 'file']
    .filter((name) => name in endpoint.params)
    .map((name) => [endpoint.id, name, endpoint] as const),
);

describe.each(FILE_PARAMS)('%s: %s', (id, name, endpoint) => {
  const writes = endpoint.method !== 'GET' && endpoint.method !== 'HEAD';
  // What lists may be empty for what is not there; an encoded name is a name like any other.
  const isList = id === 'commit-list';

  test('no path leads out of the tree', async () => {
    const paths = writes ? PATHS.filter((path) => !path.startsWith('%') && !path.includes('%2f')) : PATHS;
    const wrong = await unchanged(world.forgelog, () =>
      inBatches(paths, async (value) => {
        const answer = await call(endpoint, { [name]: value });
        if (isList && answer.text === '[]') return null;
        const problem = notRefused(answer, endpoint.method);
        return problem && `${JSON.stringify(value)?.slice(0, 60)} ${problem}`;
      }),
    );
    expect(wrong.filter(Boolean)).toEqual([]);
  });
});

test('no action of a commit leads out of the tree', async () => {
  const at = `/api/v4${project}/repository/commits`;
  const cases = PATHS.filter((path) => !path.includes('%')).flatMap((file_path) => [
    { action: 'create', file_path, content: 'x' },
    { action: 'update', file_path, content: 'x' },
    { action: 'delete', file_path },
    { action: 'move', file_path, previous_path: 'README.md' },
    { action: 'move', file_path: 'new.md', previous_path: file_path },
    { action: 'chmod', file_path, execute_filemode: true },
  ]);
  const wrong = await unchanged(world.forgelog, () =>
    inBatches(cases, async (action) => {
      const commit = { branch: 'main', commit_message: 'x', actions: [action] };
      const problem = notRefused(await send(world.forgelog, 'POST', at, { json: commit }));
      return problem && `${JSON.stringify(action).slice(0, 100)} ${problem}`;
    }),
  );
  expect(wrong.filter(Boolean)).toEqual([]);
});

/** Written into the request line as they are: no client sends them by accident. */
const LINES = [
  '/../../etc/passwd',
  '/../v4/version/../../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/projects/..%2f..%2f..%2fetc%2fpasswd',
  '/projects/%c0%ae%c0%ae%2f',
  '/projects/%ff',
  '/projects/%ed%a0%80',
  '/projects/%',
  '/projects/%zz',
  '/projects/%u0041',
  '/projects/1%00',
  '/projects/1%0d%0aX-Injected:%201',
  '/projects/1;/repository',
  '/projects//repository/tree',
  '/projects/1/repository/files/%2e%2e%2f%2e%2e%2fconfig?ref=main',
  '/projects/1/repository/files/%252e%252e%252fconfig?ref=main',
  '/projects/1/repository/files/..%5c..%5cconfig?ref=main',
  '/projects/1/repository/files/%C0%AE%C0%AE/raw?ref=main',
  '/projects/1/repository/files/%2Fetc%2Fpasswd/raw?ref=main',
  '/projects/1/repository/tree?path=%ff',
  '/projects/1/repository/tree?path=%',
  '/projects/1/repository/tree?%ff=1',
  '/projects/1/repository/blobs/..%2f..%2fHEAD',
  '/projects/1/repository/blobs/HEAD',
  '/projects/1/repository/blobs/main%3AREADME.md',
  '/projects/1/repository/archive.%2e%2e%2fzip',
  '/projects/1/repository/archive.exe',
  `/projects/${'a%2f'.repeat(3000)}`,
  '/users/1%2f..%2f2',
  '/groups/..',
  '/groups/.git',
  '/version.json',
  '/version%00',
];

test('a request line in any encoding is refused in JSON', async () => {
  const wrong = await unchanged(world.forgelog, () =>
    inBatches(LINES, async (line) => {
      const problem = notRefused(await send(world.forgelog, 'GET', `/api/v4${line}`));
      return problem && `${line.slice(0, 80)} ${problem}`;
    }),
  );
  expect(wrong.filter(Boolean)).toEqual([]);
});

const BESIDE = [
  '/',
  '/etc/passwd',
  '/../../etc/passwd',
  '/-/docs/../../../package.json',
  '/-/docs/..%2f..%2fpackage.json',
  '/-/docs/__proto__',
  '/-/docs/constructor',
  '/-/docs/toString',
  '/-/metrics/../x',
  '/private-group/project.git/config',
  '/private-group/project.git/objects/../config',
  '/private-group/project.git/HEAD',
  '/private-group/project.git/info/refs?service=git-upload-archive',
  '/private-group/project.git/info/refs?service=--help',
  '/../private-group/project.git/info/refs?service=git-upload-pack',
  '/private-group/..%2fprivate-group%2fproject.git/info/refs?service=git-upload-pack',
  '/private-group/project%00.git/info/refs?service=git-upload-pack',
  '/%ff/%ff.git/info/refs?service=git-upload-pack',
  '//evil.example/x/info/refs',
  '/\\evil.example/x/info/refs',
];

test('beside the API nothing is found by a path either, and nobody is sent elsewhere', async () => {
  const wrong = await unchanged(world.forgelog, () =>
    inBatches(BESIDE, async (line) => {
      const answer = await send(world.forgelog, 'GET', line);
      const to = answer.headers.location;
      if (to !== undefined && !/^\/[^/\\]/.test(to)) return `${line} sends to ${to}`;
      if (answer.status === 301) return null;
      if (answer.status < 400) return `${line} answered ${answer.status} ${answer.text.slice(0, 100)}`;
      return notSound(answer);
    }),
  );
  expect(wrong.filter(Boolean)).toEqual([]);
});

describe('a branch and a tag of one name', () => {
  const NAME = 'twin';
  let branchOid: string;
  let tagOid: string;
  beforeAll(async () => {
    const { forgelog, commitOid } = world;
    await must(forgelog.post(`${project}/repository/branches`, { branch: NAME, ref: 'v0.1.0' }));
    await must(forgelog.post(`${project}/repository/tags`, { tag_name: NAME, ref: commitOid }));
    branchOid = (await must(forgelog.get(`${project}/repository/branches/${NAME}`))).commit.id;
    tagOid = (await must(forgelog.get(`${project}/repository/tags/${NAME}`))).commit.id;
  });

  test('are two commits, of which every endpoint takes the branch', async () => {
    expect(branchOid).not.toBe(tagOid);
    const { forgelog } = world;
    const get = (path: string) => must(forgelog.get(`${project}/repository${path}`));
    const README = `/files/README.md`;
    // more.txt is only in the tag's commit.
    const names = (await get(`/tree?ref=${NAME}`)).map(({ name }: { name: string }) => name);
    expect(names).toEqual(['README.md']);
    expect((await get(`/commits/${NAME}`)).id).toBe(branchOid);
    expect((await get(`/commits?ref_name=${NAME}`))[0].id).toBe(branchOid);
    expect((await get(`${README}?ref=${NAME}`)).commit_id).toBe(branchOid);
    expect((await forgelog.get(`${project}/repository/files/more.txt/raw?ref=${NAME}`)).status).toBe(404);
    expect((await get(`${README}/blame?ref=${NAME}`)).length).toBeGreaterThan(0);
    expect((await get(`/compare?from=${NAME}&to=${branchOid}`)).compare_same_ref).toBe(true);
    expect((await get(`/merge_base?refs[]=${NAME}&refs[]=main`)).id).toBe(branchOid);
    expect(
      (await get(`/commits/${NAME}/refs?type=branch`)).map((ref: { name: string }) => ref.name),
    ).toContain(NAME);
    const archive = await send(forgelog, 'GET', `/api/v4${project}/repository/archive.tar?sha=${NAME}`, {
      token: nextToken(),
    });
    expect(archive.headers['content-disposition']).toContain(branchOid);
    const made = await must(
      forgelog.post(`${project}/repository/branches`, { branch: 'of-twin', ref: NAME }),
    );
    expect(made.commit.id).toBe(branchOid);
    const tagged = await must(
      forgelog.post(`${project}/repository/tags`, { tag_name: 'of-twin', ref: NAME }),
    );
    expect(tagged.commit.id).toBe(branchOid);
    const committed = await must(
      forgelog.post(`${project}/repository/commits`, {
        branch: 'from-twin',
        start_branch: NAME,
        commit_message: 'x',
        actions: [{ action: 'create', file_path: 'x', content: 'x' }],
      }),
    );
    expect(committed.parent_ids).toEqual([branchOid]);
  });

  test('a full name still tells which is meant', async () => {
    const commit = async (name: string) =>
      (await must(world.forgelog.get(`${project}/repository/commits/${encodeURIComponent(name)}`))).id;
    expect(await commit(`refs/heads/${NAME}`)).toBe(branchOid);
    expect(await commit(`refs/tags/${NAME}`)).toBe(tagOid);
    // What git calls it for short is no name here.
    expect((await world.forgelog.get(`${project}/repository/commits/heads%2F${NAME}`)).status).toBe(404);
  });
});

describe('a tree with links', () => {
  let at: string;
  beforeAll(async () => {
    const folder = newFolder();
    try {
      const blob = (text: string) =>
        execFileSync('git', ['-C', folder, 'hash-object', '-w', '--stdin'], { input: text })
          .toString()
          .trim();
      const entries = [
        `120000 blob ${blob('/etc/passwd')}\tabsolute`,
        `120000 blob ${blob('../../../../../../etc/passwd')}\tabove`,
        `120000 blob ${blob('.git/config')}\tto-git`,
        `120000 blob ${blob('loop')}\tloop`,
        `160000 commit ${'1'.repeat(40)}\tmodule`,
        `100644 blob ${blob('plain\n')}\tplain`,
      ];
      const tree = execFileSync('git', ['-C', folder, 'mktree', '--missing'], {
        input: `${entries.join('\n')}\n`,
      });
      const id = git(folder, 'commit-tree', '-m', 'Links', tree.toString().trim());
      git(folder, 'push', '-q', world.places.private.gitDir, `${id}:refs/heads/links`);
    } finally {
      removeFolder(folder);
    }
    at = `/api/v4${project}/repository`;
  });

  test('a symbolic link is its own text, never what it points to', async () => {
    for (const [name, text] of [
      ['absolute', '/etc/passwd'],
      ['above', '../../../../../../etc/passwd'],
      ['to-git', '.git/config'],
      ['loop', 'loop'],
    ]) {
      const raw = await send(world.forgelog, 'GET', `${at}/files/${name}/raw?ref=links`);
      expect(raw).toMatchObject({ status: 200, text });
    }
  });

  test('a name that would end a header stays in it', async () => {
    const names = [
      'line\r\nX-Injected: 1',
      'feed\nSet-Cookie: a=b',
      'quote";x="',
      'ü\u2028\u{1f600}',
      '\x7f\x1b[2J',
    ];
    const folder = newFolder();
    try {
      const blob = execFileSync('git', ['-C', folder, 'hash-object', '-w', '--stdin'], { input: 'x' })
        .toString()
        .trim();
      const input = names.map((name) => `100644 blob ${blob}\t${name}\0`).join('');
      const tree = execFileSync('git', ['-C', folder, 'mktree', '-z'], { input }).toString().trim();
      const id = git(folder, 'commit-tree', '-m', 'Names', tree);
      git(folder, 'push', '-q', world.places.private.gitDir, `${id}:refs/heads/names`);
    } finally {
      removeFolder(folder);
    }
    for (const name of names)
      for (const [method, rest] of [
        ['HEAD', ''],
        ['GET', ''],
        ['GET', '/raw'],
        ['HEAD', '/raw'],
        ['GET', '/blame'],
      ] as const) {
        const file = `${at}/files/${encodeURIComponent(name)}${rest}?ref=names`;
        const { status, headers } = await send(world.forgelog, method, file);
        expect(status).toBe(200);
        expect(Object.keys(headers)).not.toContain('x-injected');
        expect(Object.keys(headers)).not.toContain('set-cookie');
      }
  });

  test('what lies below a link or in another repository is not there', async () => {
    const reads = [
      'absolute%2Fx',
      'loop%2Floop%2Floop',
      'above%2F..%2Fplain',
      'module',
      'module%2Fx',
      'plain%2Fx',
    ];
    const wrong = await unchanged(world.forgelog, () =>
      inBatches(
        reads.flatMap((name) => [
          `files/${name}?ref=links`,
          `files/${name}/raw?ref=links`,
          `files/${name}/blame?ref=links`,
        ]),
        async (path) => {
          const problem = notRefused(await send(world.forgelog, 'GET', `${at}/${path}`));
          return problem && `${path} ${problem}`;
        },
      ),
    );
    expect(wrong.filter(Boolean)).toEqual([]);
  });

  test('nothing is written below a link or a module', async () => {
    const paths = ['absolute/x', 'above/x', 'module/x', 'loop/x', 'plain/x', 'module'];
    const wrong = await unchanged(world.forgelog, () =>
      inBatches(paths, async (path) => {
        const commit = { branch: 'links', commit_message: 'x', content: 'x' };
        const to = `${at}/files/${encodeURIComponent(path)}`;
        const problem = notRefused(await send(world.forgelog, 'POST', to, { json: commit }));
        return problem && `${path} ${problem}`;
      }),
    );
    expect(wrong.filter(Boolean)).toEqual([]);
  });
});
