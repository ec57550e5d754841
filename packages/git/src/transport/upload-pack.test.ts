/** Stock git clones and fetches from the engine over HTTP. */
import { appendFileSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ZERO_OID } from '../objects/object-id.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { childrenOf } from '../testing/processes.ts';
import { type ServedRepository, serveEmptyRepository } from '../testing/served-repository.ts';
import { gitAsync, gitBytes, gitText } from '../testing/stock-git.ts';

let fixture: Fixture;
let repo: ServedRepository['repo'];
let server: ServedRepository['server'];
let work: string;
let local: ServedRepository['local'];
let push: ServedRepository['push'];
let change: ServedRepository['change'];
const _count = 0;

beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  ({ repo, server, work, local, push, change } = await serveEmptyRepository(fixture));
});
afterEach(() => server.close());

const sound = async () => expect(await repo.fsck()).toEqual({ ok: true, problems: [] });

describe('a fetch', () => {
  beforeEach(async () => {
    for (let index = 0; index < 5; index++) change(`file-${index}`, `${index}\n`.repeat(100));
    local('tag', '-a', '-m', 'one', 'v1', 'HEAD~2');
    await push('main', 'v1');
  });

  test.each(['0', '1', '2'])('clones by protocol %s', async (version) => {
    const target = `${work}-clone`;
    const { code, stderr } = await gitAsync(fixture.root, [
      '-c',
      `protocol.version=${version}`,
      'clone',
      '-q',
      server.url,
      target,
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(gitText(target, ['rev-parse', 'HEAD', 'v1'])).toBe(local('rev-parse', 'HEAD', 'v1'));
    expect(readFileSync(join(target, 'file-3'), 'utf8')).toBe('3\n'.repeat(100));
    change('later');
    await push('main');
    expect((await gitAsync(target, ['-c', `protocol.version=${version}`, 'pull', '-q'])).code).toBe(0);
    expect(gitText(target, ['rev-parse', 'HEAD'])).toBe(local('rev-parse', 'HEAD'));
  });

  test.each(['0', '2'])('is shallow, and pushes from there, by protocol %s', async (version) => {
    const target = `${work}-shallow`;
    const protocol = ['-c', `protocol.version=${version}`];
    expect(
      (await gitAsync(fixture.root, [...protocol, 'clone', '-q', '--depth=2', server.url, target])).code,
    ).toBe(0);
    expect(gitText(target, ['rev-list', '--count', 'HEAD'])).toBe('2');
    appendFileSync(join(target, 'file-1'), 'more\n');
    gitText(target, ['commit', '-q', '-a', '-m', 'From a shallow clone']);
    expect(
      (await gitAsync(target, [...protocol, 'push', '-q', 'origin', 'HEAD:refs/heads/shallow'])).code,
    ).toBe(0);
    expect((await gitAsync(target, [...protocol, 'fetch', '-q', '--unshallow'])).code).toBe(0);
    expect(gitText(target, ['rev-list', '--count', 'HEAD'])).toBe('6');
    await sound();
  });

  test.each(['0', '2'])('leaves blobs out until they are asked for, by protocol %s', async (version) => {
    const target = `${work}-partial`;
    const protocol = ['-c', `protocol.version=${version}`];
    const clone = [...protocol, 'clone', '-q', '--no-checkout', '--filter=blob:none', server.url, target];
    expect((await gitAsync(fixture.root, clone)).stderr).toBe('');
    const missing = gitText(target, ['rev-list', '--objects', '--missing=print', 'HEAD'])
      .split('\n')
      .filter((line) => line.startsWith('?'));
    expect(missing.length).toBe(5);
    expect((await gitAsync(target, [...protocol, 'checkout', '-q', 'main'])).code).toBe(0);
    expect(readFileSync(join(target, 'file-4'), 'utf8')).toBe('4\n'.repeat(100));
  });

  test.each([
    ['git-upload-pack', undefined],
    ['git-upload-pack', 'version=1'],
    ['git-upload-pack', 'version=2'],
    ['git-receive-pack', undefined],
    ['git-receive-pack', 'version=2'],
  ] as const)('advertises %s (%s) as git http-backend does', async (service, protocol) => {
    const body = Buffer.concat(await Array.fromAsync(await repo.advertise(service, { protocol })));
    const env = {
      REQUEST_METHOD: 'GET',
      QUERY_STRING: `service=${service}`,
      PATH_INFO: '/info/refs',
      GIT_PROJECT_ROOT: repo.gitDir,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'x',
      ...(protocol ? { GIT_PROTOCOL: protocol } : {}),
    };
    const settings = [
      'uploadpack.allowFilter=true',
      'uploadpack.allowAnySHA1InWant=true',
      'receive.advertisePushOptions=true',
    ];
    const backend = gitBytes('/', [...settings.flatMap((setting) => ['-c', setting]), 'http-backend'], {
      env,
    });
    const expected = backend.subarray(backend.indexOf('\r\n\r\n') + 4).toString('latin1');
    const session = /session-id=\S+/g; // differs by process
    expect(body.toString('latin1').replace(session, '')).toBe(expected.replace(session, ''));
  });

  const packets = (...lines: (string | null)[]) =>
    lines
      .map((line) => (line === null ? '0001' : `${(line.length + 4).toString(16).padStart(4, '0')}${line}`))
      .join('');
  const ask = async (body: string) =>
    Buffer.concat(
      await Array.fromAsync(
        await repo.uploadPack(Readable.from([Buffer.from(body)]), { protocol: 'version=2' }),
      ),
    ).toString('latin1');
  const askGit = (body: string) =>
    gitBytes(repo.gitDir, ['-c', 'transfer.hideRefs=refs/internal', 'upload-pack', '--stateless-rpc', '.'], {
      env: { GIT_PROTOCOL: 'version=2' },
      input: body,
    }).toString('latin1');

  test.each([
    ['everything', ['peel\n', 'symrefs\n', 'unborn\n']],
    ['names alone', []],
    ['what a clone wants', ['peel\n', 'symrefs\n', 'ref-prefix HEAD\n', 'ref-prefix refs/heads/\n']],
    ['tags', ['peel\n', 'ref-prefix refs/tags/']],
    ['what is hidden', ['ref-prefix refs/internal/']],
    ['what is not there', ['ref-prefix refs/none']],
  ])('lists refs as git does: %s', async (_, wanted) => {
    local('tag', '-a', '-m', 'of a tag', 'v1-again', 'v1');
    local('tag', 'a-tree', 'HEAD^{tree}');
    await push('v1-again', 'a-tree', 'HEAD~1:refs/heads/b/c', 'HEAD:refs/heads/b-c');
    const tip = local('rev-parse', 'HEAD');
    await repo.updateRefs([{ ref: 'refs/internal/x', oldOid: ZERO_OID, newOid: tip }]);
    const body = `${packets('command=ls-refs\n', 'agent=git/2.39.5', 'object-format=sha1', null, ...wanted)}0000`;
    expect(await ask(body)).toBe(askGit(body));
    // After each move, and of a default branch that is not there.
    await repo.updateRefs([{ ref: 'refs/heads/b-c', oldOid: tip, newOid: ZERO_OID }]);
    expect(await ask(body)).toBe(askGit(body));
    await repo.setHead('unborn');
    expect(await ask(body)).toBe(askGit(body));
  });

  test.each([
    ['an argument that it does not know', packets('command=ls-refs\n', null, 'sorted\n')],
    ['another kind of ids', packets('command=ls-refs\n', 'object-format=sha256', null)],
    ['a capability that was not offered', packets('command=ls-refs\n', 'nonsense', null)],
  ])('leaves to git what it does not understand: %s', async (_, body) => {
    // git says what is wrong in its log, and nothing to the client.
    expect(() => askGit(`${body}0000`)).toThrow(
      /unexpected line|mismatched object format|unknown capability/,
    );
    expect(await ask(`${body}0000`)).toBe('');
  });

  test('lists refs where the request comes in pieces', async () => {
    const body = `${packets('command=ls-refs\n', null, 'peel\n')}0000`;
    const pieces = Readable.from([...body].map((letter) => Buffer.from(letter)));
    const answer = await Array.fromAsync(await repo.uploadPack(pieces, { protocol: 'version=2' }));
    expect(Buffer.concat(answer).toString('latin1')).toBe(askGit(body));
  });

  test('starts git neither to list refs nor to say what it can do', async () => {
    await gitAsync(work, ['ls-remote', server.url]);
    const started = vi.spyOn(repo, 'uploadPack');
    const supervisor = await fixture.git.supervisorPid();
    let seen = 0;
    const watch = setInterval(() => {
      seen += childrenOf(supervisor).filter(({ command }) => command.includes('upload-pack')).length;
    }, 0);
    expect((await gitAsync(work, ['ls-remote', server.url])).stdout).toContain('refs/heads/main');
    clearInterval(watch);
    expect([started.mock.calls.length, seen]).toEqual([1, 0]);
  });

  test('answers the probe that git sends before a large push', async () => {
    const response = await fetch(`${server.url}/git-receive-pack`, { method: 'POST', body: '0000' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    expect(server.events.length).toBe(3); // those of the push above
  });

  test('takes a long request, as git compresses it', async () => {
    const target = `${work}-many`;
    await gitAsync(fixture.root, ['clone', '-q', server.url, target]);
    // Many commits of its own make git send many lines, which it compresses.
    for (let index = 0; index < 40; index++)
      gitText(target, ['commit', '-q', '--allow-empty', '-m', `${index}`]);
    change('later');
    await push('main');
    expect((await gitAsync(target, ['fetch', '-q', 'origin'])).code).toBe(0);
    expect(gitText(target, ['rev-parse', 'origin/main'])).toBe(local('rev-parse', 'HEAD'));
  });

  test('that breaks off leaves no process', async () => {
    const supervisor = await fixture.git.supervisorPid();
    const sent = request(`${server.url}/git-upload-pack`, { method: 'POST' });
    sent.on('error', () => {});
    sent.write('0032want ');
    const commands = () => childrenOf(supervisor).map(({ command }) => command);
    await expect.poll(commands).toContainEqual(expect.stringContaining('upload-pack'));
    sent.destroy();
    await expect.poll(commands).not.toContainEqual(expect.stringContaining('upload-pack'));
  });
});
