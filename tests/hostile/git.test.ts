import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must } from '../support/must.ts';
import { addressOf, commit, emptyFolder, git, tryGit, workingCopy } from '../support/stock-git.ts';
import { type Answer, inBatches, send } from '../support/wire.ts';
import { createWorld, type World } from '../support/world.ts';
import { unchanged } from './unchanged.ts';

let world: World;
/** `group/project` of the place that all is pushed to. */
let path: string;
beforeAll(async () => {
  world = await createWorld();
  path = world.places.private.projectPath;
});
afterAll(() => world.forgelog.stop());

const remote = () => addressOf(world.forgelog, path, { name: 'x', secret: world.people.developer.token });
/** What nobody outside may read: where the server keeps things. */
const telling = () => [
  world.forgelog.dataDir,
  world.places.private.gitDir,
  '/tmp/',
  process.cwd(),
  'node_modules',
  '.ts:',
];

function expectNothingTold(text: string): void {
  for (const place of telling()) expect(text).not.toContain(place);
}

const oid = (hex: string) => Buffer.from(hex, 'hex');
const entry = (mode: string, name: string | Buffer, id: string) =>
  Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), oid(id)]);
const person = 'A <a@example.org> 1600000000 +0000';

/** Objects that git itself would never write, by what is wrong with them. */
function harmful(blob: string, tree: string): readonly [name: string, type: string, content: Buffer][] {
  const treeOf = (...entries: Buffer[]) => Buffer.concat(entries);
  const commitOf = (...lines: string[]) => Buffer.from(`${lines.join('\n')}\n\nmessage\n`);
  return [
    ['.git as a folder', 'tree', treeOf(entry('40000', '.git', tree))],
    ['.GIT', 'tree', treeOf(entry('40000', '.GIT', tree))],
    ['.git as a file', 'tree', treeOf(entry('100644', '.git', blob))],
    ['git~1', 'tree', treeOf(entry('40000', 'git~1', tree))],
    ['.git with ignored characters', 'tree', treeOf(entry('40000', '.g\u200cit', tree))],
    ['..', 'tree', treeOf(entry('40000', '..', tree))],
    ['.', 'tree', treeOf(entry('40000', '.', tree))],
    ['a name with a slash', 'tree', treeOf(entry('100644', '../../evil', blob))],
    ['an absolute name', 'tree', treeOf(entry('100644', '/etc/passwd', blob))],
    ['an empty name', 'tree', treeOf(entry('100644', '', blob))],
    ['two entries of one name', 'tree', treeOf(entry('100644', 'a', blob), entry('100644', 'a', blob))],
    ['entries out of order', 'tree', treeOf(entry('100644', 'b', blob), entry('100644', 'a', blob))],
    ['a null id', 'tree', treeOf(entry('100644', 'a', '0'.repeat(40)))],
    ['half an entry', 'tree', Buffer.from('100644 a\0abc')],
    ['no author', 'commit', commitOf(`tree ${tree}`, `committer ${person}`)],
    ['no tree', 'commit', commitOf(`author ${person}`, `committer ${person}`)],
    [
      'a NUL in the head',
      'commit',
      commitOf(`tree ${tree}`, `author A\0 <a@example.org> 1 +0000`, `committer ${person}`),
    ],
    [
      'an author without an address',
      'commit',
      commitOf(`tree ${tree}`, 'author A 1600000000 +0000', `committer ${person}`),
    ],
    [
      'a date that overflows',
      'commit',
      commitOf(
        `tree ${tree}`,
        'author A <a@example.org> 99999999999999999999999 +0000',
        `committer ${person}`,
      ),
    ],
    [
      'a parent that is none',
      'commit',
      commitOf(`tree ${tree}`, 'parent main', `author ${person}`, `committer ${person}`),
    ],
  ];
}

/** A pack of these objects, as git would send it if it wrote such. */
function packOf(objects: readonly (readonly [type: string, content: Buffer])[]): Buffer {
  const TYPES: Record<string, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
  const head = Buffer.alloc(12);
  head.write('PACK', 0, 'latin1');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts = [head];
  for (const [type, content] of objects) {
    let size = content.length;
    const bytes = [(TYPES[type]! << 4) | (size & 15)];
    for (size >>= 4; size > 0; size >>= 7) {
      bytes[bytes.length - 1]! |= 128;
      bytes.push(size & 127);
    }
    parts.push(Buffer.from(bytes), deflateSync(content));
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

const idOf = (type: string, content: Buffer) =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');

const line = (text: string) =>
  Buffer.from(`${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`);
const ZERO = '0'.repeat(40);

/** The body of a push: its commands, and the pack that comes with them. */
function pushBody(
  commands: readonly (readonly [oldId: string, newId: string, ref: string])[],
  pack: Buffer,
  capabilities = 'report-status',
): Buffer {
  const lines = commands.map(([from, to, ref], at) =>
    line(`${from} ${to} ${ref}${at === 0 ? `\0${capabilities}` : ''}`),
  );
  return Buffer.concat([...lines, Buffer.from('0000'), pack]);
}

const basic = (token: string) => ({ Authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` });

function exchange(
  service: 'git-upload-pack' | 'git-receive-pack',
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(world.forgelog, 'POST', `/${path}.git/${service}`, {
    token: null,
    type: `application/x-${service}-request`,
    body,
    headers: { ...basic(world.people.developer.token), ...headers },
  });
}

describe('objects that would harm whoever checks them out', () => {
  const blob = Buffer.from('[core]\n\tfsmonitor = touch /tmp/owned\n');
  const plainTree = entry('100644', 'config', idOf('blob', blob));
  const cases = harmful(idOf('blob', blob), idOf('tree', plainTree));

  test.each(cases)('%s: refused with all that came along', async (_name, type, content) => {
    const tree = type === 'tree' ? content : plainTree;
    const head =
      type === 'commit'
        ? content
        : Buffer.from(`tree ${idOf('tree', tree)}\nauthor ${person}\ncommitter ${person}\n\nx\n`);
    const pack = packOf([
      ['blob', blob],
      ['tree', plainTree],
      ...(type === 'tree' ? [['tree', tree] as const] : []),
      ['commit', head],
    ]);
    const answer = await unchanged(world.forgelog, () =>
      exchange('git-receive-pack', pushBody([[ZERO, idOf('commit', head), 'refs/heads/harm']], pack)),
    );
    expect(answer.status).toBe(200);
    // git's own report: the pack, or the ref that needed it, was not taken.
    expect(answer.text).toMatch(/unpack (?!ok)|ng refs\/heads\/harm/);
    expectNothingTold(answer.text);
  });

  test('.gitmodules that would run a command', async () => {
    const modules = Buffer.from('[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch /tmp/owned\n');
    const tree = entry('100644', '.gitmodules', idOf('blob', modules));
    const head = Buffer.from(`tree ${idOf('tree', tree)}\nauthor ${person}\ncommitter ${person}\n\nx\n`);
    const body = pushBody(
      [[ZERO, idOf('commit', head), 'refs/heads/harm']],
      packOf([
        ['blob', modules],
        ['tree', tree],
        ['commit', head],
      ]),
    );
    const answer = await unchanged(world.forgelog, () => exchange('git-receive-pack', body));
    expect(answer.text).toMatch(/unpack (?!ok)/);
    expectNothingTold(answer.text);
  });

  test('a whole one is taken: what is refused above is refused for what it holds', async () => {
    const head = Buffer.from(`tree ${idOf('tree', plainTree)}\nauthor ${person}\ncommitter ${person}\n\nx\n`);
    const body = pushBody(
      [[ZERO, idOf('commit', head), 'refs/heads/harmless']],
      packOf([
        ['blob', blob],
        ['tree', plainTree],
        ['commit', head],
      ]),
    );
    expect((await exchange('git-receive-pack', body)).text).toContain('ok refs/heads/harmless');
  });
});

const EMPTY_PACK = packOf([]);

describe('refs that no push may write', () => {
  const REFS = [
    'refs/internal/x',
    'refs/keep-around/x',
    'refs/merge-requests/1/head',
    'refs/pipelines/1',
    'refs/environments/x',
    'refs/remotes/origin/x',
    'refs/replace/x',
    'refs/stash',
    'refs/x',
    'HEAD',
    'FETCH_HEAD',
    'refs/heads/-x',
    'refs/heads/HEAD',
    'refs/heads/@',
    `refs/heads/${'a'.repeat(40)}`,
    `refs/heads/${'A'.repeat(64)}`,
    `refs/tags/${'aB'.repeat(20)}-x`,
    'refs/tags/main',
    'refs/heads/caf\ufffd',
    'refs/heads/refs/heads/x',
    'refs/heads/../../config',
    '../config',
    '/etc/passwd',
    'refs/heads/a..b',
    'refs/heads/a.lock',
    'refs/heads/.a',
    'refs/heads/a b',
    'refs/heads/a\x01',
    'refs/heads/',
    'refs/tags/-x',
    `refs/heads/${'x'.repeat(300)}`,
    `refs/heads/${'x/'.repeat(600)}y`,
  ];

  test.each(REFS)('%s', async (ref) => {
    const answers = await unchanged(world.forgelog, () =>
      inBatches(
        ['report-status', 'report-status atomic', 'report-status push-options'],
        (capabilities) => {
          const body = pushBody([[ZERO, world.commitOid, ref]], EMPTY_PACK, capabilities);
          return exchange('git-receive-pack', body);
        },
        1,
      ),
    );
    for (const { status, text } of answers) {
      expect(status).toBeLessThan(500);
      expect(text).not.toContain(`ok ${ref}`);
      expectNothingTold(text);
    }
  });

  test('hidden ones are neither told nor handed out by name', async () => {
    const { gitDir } = world.places.private;
    execFileSync('git', ['-C', gitDir, 'update-ref', 'refs/keep-around/secret', world.commitOid]);
    for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
      const told = await send(world.forgelog, 'GET', `/${path}.git/info/refs?service=${service}`, {
        token: null,
        headers: basic(world.people.developer.token),
      });
      expect(told.status).toBe(200);
      expect(told.text).not.toContain('keep-around');
    }
    const wants = [
      line('command=ls-refs\n'),
      Buffer.from('0001'),
      line('ref-prefix refs/keep-around/\n'),
      Buffer.from('0000'),
    ];
    const listed = await exchange('git-upload-pack', Buffer.concat(wants), { 'Git-Protocol': 'version=2' });
    expect(listed.text).not.toContain('keep-around');
    execFileSync('git', ['-C', gitDir, 'update-ref', '-d', 'refs/keep-around/secret']);
  });

  test('an atomic push with one refused ref moves none, and so does any other', async () => {
    const folder = await workingCopy();
    const id = await commit(folder, 'one more');
    const refs = [`${id}:refs/heads/good`, `${id}:refs/tags/good`, `${id}:refs/keep-around/bad`];
    for (const more of [['--atomic'], []]) {
      const run = await unchanged(world.forgelog, () => tryGit(folder, 'push', ...more, remote(), ...refs));
      expect(run.code).not.toBe(0);
      expectNothingTold(run.stderr);
    }
  });
});

describe('bodies that are no exchange of git', () => {
  const whole = () => pushBody([[ZERO, world.commitOid, 'refs/heads/x']], EMPTY_PACK);
  const flip = (body: Buffer, at: number) => {
    const copy = Buffer.from(body);
    copy[at < 0 ? body.length + at : at]! ^= 0xff;
    return copy;
  };
  const counted = (objects: number) => {
    const head = Buffer.from(EMPTY_PACK);
    head.writeUInt32BE(objects, 8);
    return head;
  };
  const BODIES: readonly [name: string, build: () => Buffer][] = [
    ['nothing', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('hello')],
    ['zeros', () => Buffer.alloc(10_000)],
    ['a length that is none', () => Buffer.from('zzzz')],
    ['a length past the end', () => Buffer.from('ffffabc')],
    ['a length of three', () => Buffer.from('0003')],
    ['half a command', () => whole().subarray(0, 40)],
    ['a command without its pack', () => whole().subarray(0, -EMPTY_PACK.length)],
    ['half a pack', () => whole().subarray(0, -10)],
    ['a pack with a wrong sum', () => flip(whole(), -1)],
    [
      'a pack of another kind',
      () => pushBody([[ZERO, world.commitOid, 'refs/heads/x']], flip(EMPTY_PACK, 0)),
    ],
    [
      'a pack of four milliard objects',
      () => pushBody([[ZERO, world.commitOid, 'refs/heads/x']], counted(0xffff_ffff)),
    ],
    [
      'a pack that says one object and holds none',
      () => pushBody([[ZERO, world.commitOid, 'refs/heads/x']], counted(1)),
    ],
    ['an object that is not there', () => pushBody([[ZERO, '1'.repeat(40), 'refs/heads/x']], EMPTY_PACK)],
    ['an id that is none', () => pushBody([[ZERO, 'main'.padEnd(40), 'refs/heads/x']], EMPTY_PACK)],
    ['a tree as a branch', () => pushBody([[ZERO, world.blobOid, 'refs/heads/x']], EMPTY_PACK)],
    [
      'an old id that is wrong',
      () => pushBody([['1'.repeat(40), world.commitOid, 'refs/heads/main']], EMPTY_PACK),
    ],
    [
      'a file and a folder of one name',
      () => pushBody([[ZERO, world.commitOid, 'refs/heads/main/x']], EMPTY_PACK),
    ],
    ['a shallow line that is none', () => Buffer.concat([line('shallow xyz'), whole()])],
    ['a push certificate', () => Buffer.concat([line('push-cert\0'), whole()])],
    [
      'a command of protocol 2',
      () =>
        Buffer.concat([
          line('command=fetch\n'),
          Buffer.from('0001'),
          line('want main\n'),
          Buffer.from('0000'),
        ]),
    ],
    [
      'an unknown want',
      () => Buffer.concat([line(`want ${'1'.repeat(40)}\n`), Buffer.from('0000'), line('done\n')]),
    ],
    ['a want that is none', () => Buffer.concat([line('want HEAD\n'), Buffer.from('0000'), line('done\n')])],
    [
      'a depth that is none',
      () =>
        Buffer.concat([
          line(`want ${world.commitOid}\n`),
          line('deepen -1\n'),
          Buffer.from('0000'),
          line('done\n'),
        ]),
    ],
    [
      'a filter that is none',
      () =>
        Buffer.concat([
          line(`want ${world.commitOid} filter\n`),
          line('filter sparse:oid=HEAD:x\n'),
          Buffer.from('0000'),
          line('done\n'),
        ]),
    ],
  ];

  test.each(BODIES)('%s: nothing happens, and nothing is told', async (_name, build) => {
    const answers = await unchanged(world.forgelog, () =>
      inBatches(['git-receive-pack', 'git-upload-pack'] as const, (service) => exchange(service, build())),
    );
    for (const { status, text } of answers) {
      expect(status).toBeLessThan(500);
      expect(text).not.toMatch(/ok refs\//);
      expectNothingTold(text);
    }
  });

  test('one ref twice moves once, and is one event', async () => {
    const { gitDir, projectId } = world.places.private;
    const twice = [ZERO, world.commitOid, 'refs/heads/twice'] as const;
    const answer = await exchange('git-receive-pack', pushBody([twice, twice], EMPTY_PACK));
    expect(answer.status).toBe(200);
    expectNothingTold(answer.text);
    const told = await world.forgelog.system.store.readStream(`repository-${projectId}`);
    const moves = told.filter(({ data }) => (data as { ref?: string }).ref === 'refs/heads/twice');
    const there = execFileSync('git', ['-C', gitDir, 'for-each-ref', 'refs/heads/twice']).toString();
    expect(moves).toHaveLength(there === '' ? 0 : 1);
  });

  test('a body of another type is not read', async () => {
    const answer = await unchanged(world.forgelog, () =>
      send(world.forgelog, 'POST', `/${path}.git/git-receive-pack`, {
        token: null,
        type: 'text/plain',
        body: whole(),
        headers: basic(world.people.developer.token),
      }),
    );
    expect(answer.status).toBe(415);
  });

  const asGzip = { 'Content-Encoding': 'gzip' };

  const BROKEN: readonly [name: string, build: () => Buffer][] = [
    ['no gzip at all', whole],
    ['half of it', () => gzipSync(whole()).subarray(0, -12)],
    ['a wrong checksum', () => flip(gzipSync(whole()), -6)],
    ['a flipped bit', () => flip(gzipSync(whole()), 12)],
  ];

  describe.each(['git-receive-pack', 'git-upload-pack'] as const)('%s, packed', (service) => {
    test('what grows without end when it is unpacked is refused', async () => {
      // git reads on for as long as such lines come.
      const wish =
        service === 'git-upload-pack'
          ? [line(`want ${world.commitOid}\n`), Buffer.from('0000'), line(`have ${'1'.repeat(40)}\n`)]
          : [line(`${ZERO} ${world.commitOid} refs/heads/bomb\n`)];
      const last = wish.at(-1)!;
      const bomb = gzipSync(Buffer.concat([...wish, Buffer.alloc(80 * 1024 * 1024, last)]));
      expect(bomb.length).toBeLessThan(1024 * 1024);
      const refused = await unchanged(world.forgelog, () => exchange(service, bomb, asGzip));
      expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('Too Large')]);
    });

    test.each(BROKEN)('%s is refused in words', async (_name, build) => {
      const refused = await unchanged(world.forgelog, () => exchange(service, build(), asGzip));
      expect([refused.status, refused.text]).toEqual([400, 'The request body is not valid gzip\n']);
    });

    test.each(['br', 'deflate', 'gzip, gzip', 'nonsense'])('as %s is refused', async (encoding) => {
      const refused = await unchanged(world.forgelog, () =>
        exchange(service, whole(), { 'Content-Encoding': encoding }),
      );
      expect([refused.status, refused.headers['accept-encoding']]).toEqual([415, 'gzip, identity']);
    });
  });
});

describe('rights that end between the advertisement and the push', () => {
  const push = (token: string, to = path) =>
    send(world.forgelog, 'POST', `/${to}.git/git-receive-pack`, {
      token: null,
      type: 'application/x-git-receive-pack-request',
      body: pushBody([[ZERO, world.commitOid, 'refs/heads/late']], EMPTY_PACK),
      headers: basic(token),
    });
  const advertised = async (token: string, to = path) =>
    (
      await send(world.forgelog, 'GET', `/${to}.git/info/refs?service=git-receive-pack`, {
        token: null,
        headers: basic(token),
      })
    ).status;

  test('a token that is revoked', async () => {
    const { forgelog, people } = world;
    const made = await must(
      forgelog.post(`/users/${people.developer.id}/personal_access_tokens`, {
        name: 'short',
        scopes: ['write_repository'],
      }),
    );
    expect(await advertised(made.token)).toBe(200);
    await must(forgelog.delete(`/personal_access_tokens/${made.id}`));
    expect((await unchanged(forgelog, () => push(made.token))).status).toBe(401);
  });

  test('a membership, an account, a project', async () => {
    const { forgelog, people, places } = world;
    const { outsider } = people;
    const members = `/projects/${places.private.projectId}/members`;
    await must(forgelog.post(members, { user_id: outsider.id, access_level: 30 }));
    expect(await advertised(outsider.token)).toBe(200);
    await must(forgelog.put(`${members}/${outsider.id}`, { access_level: 20 }));
    expect((await unchanged(forgelog, () => push(outsider.token))).status).toBe(403);
    await must(forgelog.delete(`${members}/${outsider.id}`));
    expect((await unchanged(forgelog, () => push(outsider.token))).status).toBe(404);
    await must(forgelog.post(members, { user_id: outsider.id, access_level: 30 }));
    await must(forgelog.post(`/users/${outsider.id}/block`));
    expect((await unchanged(forgelog, () => push(outsider.token))).status).toBe(403);
    await must(forgelog.post(`/users/${outsider.id}/unblock`));
    const { id, path_with_namespace: to } = await must(
      forgelog.post('/projects', { path: 'short-lived', namespace_id: places.private.groupId }),
    );
    expect(await advertised(people.developer.token, to)).toBe(200);
    await must(forgelog.post(`/projects/${id}/archive`));
    const archived = await unchanged(forgelog, () => push(people.developer.token, to));
    expect(archived.text).not.toContain('ok refs/heads/late');
  });

  test('scopes that may only read', async () => {
    const { scoped } = world;
    for (const scope of ['read_repository', 'read_api', 'read_user', 'sudo'] as const) {
      const answer = await unchanged(world.forgelog, () => push(scoped[scope]));
      expect(answer.status).toBe(scope === 'read_repository' ? 403 : 401);
    }
  });
});

test('a name or an option of the client never becomes one of a command', async () => {
  const folder = await emptyFolder();
  const odd = ['--upload-pack=touch x', '-c', '$(id)', '`id`', ';id', '|id', '&&id', '\nid'];
  for (const name of odd) {
    const answer = await unchanged(world.forgelog, () =>
      send(
        world.forgelog,
        'GET',
        `/${encodeURIComponent(name)}/${encodeURIComponent(name)}.git/info/refs?service=git-upload-pack`,
        { token: null, headers: basic(world.people.developer.token) },
      ),
    );
    expect(answer.status).toBe(404);
  }
  for (const header of ['version=2:--x', 'version=9', 'version=1;id', 'x'.repeat(4000), '$(id)'])
    expect(
      (await exchange('git-upload-pack', Buffer.from('0000'), { 'Git-Protocol': header })).status,
    ).toBeLessThan(500);
  const clone = await tryGit(folder, 'clone', '-q', remote(), 'whole');
  expect(clone.code).toBe(0);
  expect(await git(`${folder}/whole`, 'fsck', '--strict')).toBe('');
});
