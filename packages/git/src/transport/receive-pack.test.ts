/** Stock git clones from and pushes to the engine over HTTP. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MoveRefusedError } from '../errors.ts';
import { ZERO_OID } from '../objects/object-id.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { serveGit } from '../testing/git-server.ts';
import { childrenOf, isRunning } from '../testing/processes.ts';
import { type ServedRepository, serveEmptyRepository } from '../testing/served-repository.ts';
import { gitAsync, gitBytes, gitText } from '../testing/stock-git.ts';

let fixture: Fixture;
let repo: ServedRepository['repo'];
let server: ServedRepository['server'];
let work: string;
let local: ServedRepository['local'];
let push: ServedRepository['push'];
let change: ServedRepository['change'];

beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  ({ repo, server, work, local, push, change } = await serveEmptyRepository(fixture));
});
afterEach(() => server.close());

const refs = async () => Object.fromEntries(await repo.readRefs());
/** A push without git's client, which sends it again where the connection breaks. */
const pushOnce = async (url: string, ref: string, newOid: string) => {
  const line = `${ZERO_OID} ${newOid} ${ref}\0 report-status side-band-64k`;
  const head = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`;
  const pack = gitBytes(work, ['pack-objects', '-q', '--revs', '--stdout'], { input: `${newOid}\n` });
  const body = Buffer.concat([Buffer.from(head), pack]);
  return fetch(`${url}/git-receive-pack`, { method: 'POST', body: new Uint8Array(body) })
    .then((response) => response.text())
    .catch(() => 'broken off');
};
const named = (hook: string) =>
  server.events.filter(([name]) => name === hook).flatMap(([, updates]) => updates);
const sound = async () => expect(await repo.fsck()).toEqual({ ok: true, problems: [] });

describe('a push', () => {
  test('reports every ref once, with its old and new id, to rules, vote and result', async () => {
    const first = change();
    expect((await push('main')).code).toBe(0);
    const second = change();
    local('branch', 'feature/x');
    local('tag', '-a', '-m', 'one', 'v1');
    expect((await push('main', 'feature/x', 'v1')).code).toBe(0);
    const create = (ref: string, newOid: string) => ({ ref, oldOid: ZERO_OID, newOid });
    const expected = [
      create('refs/heads/main', first),
      { ref: 'refs/heads/main', oldOid: first, newOid: second },
      create('refs/heads/feature/x', second),
      create('refs/tags/v1', local('rev-parse', 'v1')),
    ];
    for (const hook of ['preReceive', 'prepared', 'committed']) expect(named(hook)).toEqual(expected);
    expect(named('aborted')).toEqual([]);
    expect(server.events.map(([hook, { length }]) => `${hook} ${length}`)).toEqual([
      'preReceive 1',
      'prepared 1',
      'committed 1',
      'preReceive 3',
      'prepared 3',
      'committed 3',
    ]);
    expect(await server.pushes[1]).toEqual(expected.slice(1));
    expect(await refs()).toEqual({
      'refs/heads/main': second,
      'refs/heads/feature/x': second,
      'refs/tags/v1': local('rev-parse', 'v1'),
    });
    await sound();
  });

  /** While the rules of the next push are checked, another writer moves this branch. */
  const moveDuringCheck = (branch: string, oldOid: string, newOid: string) => {
    server.hooks.preReceive = async () => {
      await repo.updateRefs([{ ref: `refs/heads/${branch}`, oldOid, newOid }]);
      return { ok: true };
    };
  };

  test('moves all refs but those that moved meanwhile, or whose name is taken', async () => {
    const first = change();
    await push('main:a', 'main:b', 'main:c');
    const other = change();
    await push('main:other');
    const second = change();
    moveDuringCheck('b', first, other);
    const names = ['a', 'b', 'c/below', 'd'];
    const { code, stderr } = await push(...names.map((name) => `main:refs/heads/${name}`));
    expect(code).toBe(1);
    for (const name of ['b', 'c/below'])
      expect(stderr).toContain(`! [remote rejected] main -> ${name} (failed to update ref)`);
    expect(await refs()).toMatchObject({
      ...{ 'refs/heads/a': second, 'refs/heads/b': other },
      ...{ 'refs/heads/c': first, 'refs/heads/d': second },
    });
    expect(await server.pushes.at(-1)).toMatchObject([{ ref: 'refs/heads/a' }, { ref: 'refs/heads/d' }]);
    await sound();
  });

  test('moves nothing where it is atomic and one ref moved meanwhile', async () => {
    const first = change();
    await push('main:a', 'main:b');
    const other = change();
    await push('main:other');
    change();
    moveDuringCheck('b', first, other);
    server.events.length = 0;
    const { stderr } = await push('--atomic', 'main:a', 'main:b');
    expect(stderr).toContain('main -> b (failed to update ref)');
    expect(stderr).toContain('main -> a (atomic push failure)');
    expect(await refs()).toMatchObject({ 'refs/heads/a': first, 'refs/heads/b': other });
    expect(named('prepared')).toEqual([]);
    server.hooks.preReceive = undefined;
    expect((await push('--atomic', 'main:a', 'main:b')).code).toBe(0);
    expect(named('committed')).toHaveLength(2);
  });

  test('of thousands of refs is one vote', async () => {
    const oid = change();
    const count = 3_000;
    const name = (at: number) => `refs/heads/${'long/'.repeat(20)}${at}`;
    const input = Array.from({ length: count }, (_, at) => `create ${name(at)} ${oid}\n`).join('');
    gitText(work, ['update-ref', '--stdin'], { input });
    expect((await push('refs/heads/long/*:refs/heads/long/*')).code).toBe(0);
    expect(server.events.map(([hook, { length }]) => `${hook} ${length}`)).toEqual([
      `preReceive ${count}`,
      `prepared ${count}`,
      `committed ${count}`,
    ]);
    expect(Object.keys(await refs())).toHaveLength(count);
    expect((await push('--delete', name(1), name(2))).code).toBe(0);
    expect(Object.keys(await refs())).toHaveLength(count - 2);
  });

  test('deletes, forces and carries options', async () => {
    const first = change();
    const second = change();
    await push('main', 'main:b');
    server.events.length = 0;
    local('reset', '-q', '--hard', first);
    expect((await push('-f', '-o', 'ci.skip', '-o', 'a "b" $(c)', 'main', ':b')).code).toBe(0);
    expect(server.pushOptions.at(-1)).toEqual(['ci.skip', 'a "b" $(c)']);
    expect(named('committed')).toEqual(
      expect.arrayContaining([
        { ref: 'refs/heads/main', oldOid: second, newOid: first },
        { ref: 'refs/heads/b', oldOid: second, newOid: ZERO_OID },
      ]),
    );
    expect(await refs()).toEqual({ 'refs/heads/main': first });
  });

  test('can be refused in words, and then nothing of it stays', async () => {
    const first = change();
    await push('main');
    change();
    server.hooks.preReceive = async () => ({
      ok: false,
      message: "You can't push here.\n  Ask $(somebody) `else`.\x1b[31m\n.",
    });
    const before = gitText(repo.gitDir, ['count-objects']);
    const { code, stderr } = await push('main', 'main:other');
    expect(code).toBe(1);
    expect(stderr).toContain("remote: You can't push here.");
    expect(stderr).toContain('remote:   Ask $(somebody) `else`. [31m');
    expect(stderr).toContain('! [remote rejected] main -> main (pre-receive hook declined)');
    expect(stderr).toContain('! [remote rejected] main -> other (pre-receive hook declined)');
    expect([await refs(), named('prepared').length]).toEqual([{ 'refs/heads/main': first }, 1]);
    expect(gitText(repo.gitDir, ['count-objects'])).toBe(before);
    expect(await server.pushes.at(-1)).toEqual([]);
  });

  test('is refused without words where the rule fails', async () => {
    change();
    server.hooks.preReceive = () => Promise.reject(new Error('secret detail'));
    const { stderr } = await push('main');
    expect(stderr).toContain('pre-receive hook declined');
    expect(stderr).not.toContain('secret');
    expect(await server.pushes[0]).toEqual(new Error('secret detail'));
    expect(await refs()).toEqual({});
  });

  test('that the vote refuses is told why beside each ref, in one line', async () => {
    change();
    server.hooks.prepared = async () => {
      throw new MoveRefusedError(
        `The branch is protected.\nAsk \x1b[31mthe maintainers. ${'z'.repeat(70_000)}`,
      );
    };
    local('branch', 'other');
    const { code, stderr } = await push('main', 'other');
    expect(code).toBe(1);
    const reason =
      /remote rejected\].* -> (?:main|other) \(The branch is protected\. Ask \[31mthe maintainers\. z+\)/g;
    expect(stderr.match(reason)).toHaveLength(2);
    expect(await refs()).toEqual({});
    await sound();
  });

  test('moves nothing when the vote is against it', async () => {
    const first = change();
    await push('main');
    const second = change();
    server.hooks.prepared = () => Promise.reject(new Error('log full'));
    expect((await push('main')).code).not.toBe(0);
    expect(await server.pushes[1]).toEqual(new Error('log full'));
    expect(named('aborted')).toEqual([{ ref: 'refs/heads/main', oldOid: first, newOid: second }]);
    expect(await refs()).toEqual({ 'refs/heads/main': first });
    server.hooks.prepared = undefined;
    expect((await push('main')).code).toBe(0); // no lock is left
    expect(await refs()).toEqual({ 'refs/heads/main': second });
    await sound();
  });

  test('shows what it brings to the rules alone', async () => {
    const first = change();
    await push('main');
    const second = change('b', 'new file\n');
    const seen: unknown[] = [];
    server.hooks.preReceive = async ([update], { quarantine }) => {
      const view = repo.inQuarantine(quarantine);
      const { oldOid, newOid } = update!;
      seen.push(
        (await view.commit(newOid))?.title,
        await view.isAncestor(oldOid, newOid),
        await repo.commit(newOid),
      );
      seen.push((await view.changedPaths(oldOid, newOid)).map(({ newPath }) => newPath));
      view.close();
      return { ok: true };
    };
    expect((await push('main')).code).toBe(0);
    expect(seen).toEqual(['Change b', true, undefined, ['b']]);
    expect([(await repo.commit(second))?.parentIds, (await repo.resolveRevision('main'))?.oid]).toEqual([
      [first],
      second,
    ]);
  });

  test('keeps out of hidden and read-only namespaces', async () => {
    const oid = change();
    for (const ref of ['refs/internal/x', 'refs/pipelines/1', 'refs/merge-requests/1/head']) {
      expect((await push(`main:${ref}`)).stderr).toContain('deny updating a hidden ref');
      await repo.updateRefs([]);
    }
    expect(named('prepared')).toEqual([]);
    await push('main');
    const create = (ref: string) => ({ ref, oldOid: ZERO_OID, newOid: oid });
    await repo.updateRefs([create('refs/internal/x'), create('refs/pipelines/1')]);
    const listed = (await gitAsync(work, ['ls-remote', server.url])).stdout;
    expect(listed).toContain('refs/pipelines/1');
    expect(listed).not.toContain('refs/internal');
    expect((await gitAsync(work, ['fetch', '-q', server.url, 'refs/pipelines/1'])).code).toBe(0);
  });

  test('is refused where an object is unsound', async () => {
    const tree = gitText(work, ['mktree', '--missing'], { input: `100644 blob ${'a'.repeat(40)}\t.git\n` });
    local('update-ref', 'refs/heads/main', local('commit-tree', '-m', 'bad', tree));
    expect((await push('main')).code).not.toBe(0);
    const dotgit = gitText(work, ['hash-object', '-w', '--stdin'], { input: 'x' });
    const bad = gitText(work, ['mktree'], { input: `100644 blob ${dotgit}\t.git\n` });
    local('update-ref', 'refs/heads/main', local('commit-tree', '-m', 'bad', bad));
    const { code, stderr } = await push('main');
    expect([code === 0, await refs()]).toEqual([false, {}]);
    expect(stderr).toContain('hasDotgit');
  });

  test('that is too large is refused', async () => {
    const small = await createFixture({ policy: { maxPushBytes: 10_000 } });
    const target = await small.empty('small.git');
    const other = await serveGit(target);
    try {
      writeFileSync(
        join(work, 'noise'),
        Buffer.from(Array.from({ length: 50_000 }, () => Math.floor(Math.random() * 256))),
      );
      change();
      expect((await gitAsync(work, ['push', other.url, 'main'])).code).not.toBe(0);
      expect(await target.readRefs()).toEqual(new Map());
    } finally {
      await other.close();
      await small.close();
    }
  });

  test('that breaks off leaves neither refs, nor objects, nor processes', async () => {
    change();
    await push('main');
    const before = await refs();
    const supervisor = await fixture.git.supervisorPid();
    // The commands of a push and the beginning of its pack, and then silence.
    const line = `${ZERO_OID} ${local('rev-parse', 'HEAD')} refs/heads/broken\0 report-status side-band-64k\n`;
    const head = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000PACK\0\0\0\x02\0\0\0\x05`;
    const sent = request(`${server.url}/git-receive-pack`, { method: 'POST' });
    sent.on('error', () => {});
    sent.write(Buffer.from(head, 'latin1'));
    const commands = () => childrenOf(supervisor).map(({ command }) => command);
    await expect.poll(commands).toContainEqual(expect.stringContaining('receive-pack'));
    await expect
      .poll(() => readdirSync(join(repo.gitDir, 'objects')))
      .toContainEqual(expect.stringMatching(/^tmp_objdir/));
    sent.destroy();
    await expect.poll(commands).not.toContainEqual(expect.stringContaining('receive-pack'));
    expect(await server.pushes.at(-1)).toMatchObject({ code: 'cancelled' });
    expect(await refs()).toEqual(before);
    expect(readdirSync(join(repo.gitDir, 'objects')).filter((name) => name.startsWith('tmp_'))).toEqual([]);
    await sound();
  });

  test('that breaks off during the vote ends as the refs say', async () => {
    const oid = change();
    const voting = Promise.withResolvers<void>();
    const vote = Promise.withResolvers<void>();
    server.hooks.prepared = () => {
      voting.resolve();
      return vote.promise;
    };
    const pushing = pushOnce(server.url, 'refs/heads/main', oid);
    await voting.promise;
    for (const response of server.requests) response.destroy();
    await pushing;
    vote.resolve();
    await server.pushes[0];
    const moved = (await refs())['refs/heads/main'] === oid;
    expect(named(moved ? 'committed' : 'aborted').length).toBe(1);
    expect(named(moved ? 'aborted' : 'committed').length).toBe(0);
    expect(existsSync(join(repo.gitDir, 'refs/heads/main.lock'))).toBe(false);
  });

  test('whose vote outlives its git ends as the vote says', async () => {
    const oid = change();
    let release = () => {};
    const pushing = await serveGit({
      ...repo,
      receivePack: (body, hooks, options) => repo.receivePack(body, hooks, { ...options, deadlineMs: 1_000 }),
    });
    pushing.hooks.prepared = () => new Promise((resolve) => (release = resolve));
    try {
      expect(await pushOnce(pushing.url, 'refs/heads/main', oid)).not.toContain('ok refs/heads/main');
      expect(await refs()).toEqual({});
      release();
      const update = { ref: 'refs/heads/main', oldOid: ZERO_OID, newOid: oid };
      expect(await pushing.pushes[0]).toEqual([update]);
      expect(pushing.events.map(([hook]) => hook)).toEqual(['preReceive', 'prepared', 'committed']);
      expect(await refs()).toEqual({ 'refs/heads/main': oid });
      await repo.updateRefs([{ ...update, oldOid: oid, newOid: ZERO_OID }]); // no lock is left
    } finally {
      await pushing.close();
    }
  });

  test.each(['receive-pack', 'update-ref'])(
    'whose %s is killed during the vote moves what was recorded',
    async (killed) => {
      const oid = change();
      const supervisor = await fixture.git.supervisorPid();
      server.hooks.prepared = async () => {
        const gits = childrenOf(supervisor).filter(({ command }) => command.includes(killed));
        expect(gits).not.toEqual([]);
        for (const { pid } of gits) process.kill(pid, 'SIGKILL');
        await expect.poll(() => gits.filter(({ pid }) => isRunning(pid))).toEqual([]);
      };
      const report = await pushOnce(server.url, 'refs/heads/main', oid);
      expect(report.includes('ok refs/heads/main')).toBe(killed === 'update-ref');
      await server.pushes[0];
      const update = { ref: 'refs/heads/main', oldOid: ZERO_OID, newOid: oid };
      expect([named('aborted'), named('committed'), await refs()]).toEqual([
        [],
        [update],
        { 'refs/heads/main': oid },
      ]);
      await repo.updateRefs([{ ...update, oldOid: oid, newOid: ZERO_OID }]); // no lock is left
      await sound();
    },
  );

  test('beside another one lets one of them win each ref', async () => {
    const base = change();
    await push('main');
    const tips = [0, 1, 2, 3].map((index) => {
      local('checkout', '-q', '--detach', base);
      return change(`f${index}`);
    });
    const outcomes = await Promise.all(tips.map((tip) => push(`${tip}:refs/heads/main`)));
    expect(outcomes.filter(({ code }) => code === 0).length).toBe(1);
    const winner = tips[outcomes.findIndex(({ code }) => code === 0)];
    expect(await refs()).toEqual({ 'refs/heads/main': winner });
    expect(named('committed').filter(({ oldOid }) => oldOid === base)).toEqual([
      { ref: 'refs/heads/main', oldOid: base, newOid: winner },
    ]);
    await sound();
  });
});
