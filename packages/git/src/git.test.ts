/** Tests of limits, pooled processes and caches. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createByteCache } from './objects/byte-cache.ts';
import { createLimiter } from './process/command-limits.ts';
import { createFixture, type Fixture } from './testing/fixture.ts';
import { childrenOf, isRunning } from './testing/processes.ts';
import { gitText } from './testing/stock-git.ts';

describe('limits', () => {
  const limits = { running: 3, perRepository: 2, waiting: 2, waitingPerRepository: 1 };

  test('hold per repository and in total, and admit the longest waiting command', async () => {
    const limiter = createLimiter(limits);
    const leaveA = await limiter.enter('a');
    await limiter.enter('a');
    const order: string[] = [];
    const entering = async (name: string) => {
      await limiter.enter(name);
      order.push(name);
    };
    const waitingA = entering('a');
    await expect(limiter.enter('a')).rejects.toMatchObject({ code: 'busy' });
    const leaveB = await limiter.enter('b');
    const waitingB = entering('b');
    await expect(limiter.enter('c')).rejects.toMatchObject({ code: 'busy' });
    leaveB();
    leaveB(); // idempotent
    await waitingB; // `a` is first in the queue, but at its limit
    leaveA();
    await waitingA;
    expect(order).toEqual(['b', 'a']);
  });

  test('drop a queued command that is cancelled', async () => {
    const limiter = createLimiter({ running: 1, perRepository: 1, waiting: 1, waitingPerRepository: 1 });
    const leave = await limiter.enter('a');
    const cancel = new AbortController();
    const waiting = limiter.enter('a', cancel.signal);
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    const next = limiter.enter('a');
    leave();
    expect(typeof (await next)).toBe('function');
  });
});

describe('the cache', () => {
  test('evicts the least recently used entry', () => {
    const cache = createByteCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    cache.get('a');
    cache.set('c', 'C', 4);
    cache.set('huge', 'H', 11);
    expect(['a', 'b', 'c', 'huge'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C', undefined]);
    cache.set('a', 'A2', 1);
    cache.set('d', 'D', 5);
    expect(['a', 'c', 'd'].map((key) => cache.get(key))).toEqual(['A2', 'C', 'D']);
    cache.deletePrefix('a');
    expect(cache.get('a')).toBeUndefined();
  });
});

describe('kept processes', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture({ readers: 2, idleMs: 200, cacheBytes: 0 });
  });
  afterAll(() => fixture.close());

  const context = (gitDir: string, text: string) =>
    gitText(gitDir, ['hash-object', '-w', '--stdin'], { input: text });
  const readers = async () =>
    childrenOf(await fixture.git.supervisorPid()).filter(({ command }) => command.includes('cat-file'));

  test('see objects and packs that are written later', async () => {
    const repo = await fixture.empty('later.git');
    const first = context(repo.gitDir, 'first');
    expect((await repo.objects.read(first))?.content.toString()).toBe('first');
    const second = context(repo.gitDir, 'second');
    expect((await repo.objects.read(second))?.content.toString()).toBe('second');
    const third = gitText('/', ['hash-object', '--stdin'], { input: 'third' });
    expect(await repo.objects.read(third)).toBeUndefined();
    context(repo.gitDir, 'third');
    gitText(repo.gitDir, ['pack-objects', '-q', 'objects/pack/pack'], {
      input: `${first}\n${second}\n${third}\n`,
    });
    gitText(repo.gitDir, ['prune-packed']);
    for (const [oid, text] of [
      [first, 'first'],
      [third, 'third'],
    ] as const) {
      expect((await repo.objects.read(oid))?.content.toString()).toBe(text);
    }
  });

  test('answer concurrent requests, each with its own object', async () => {
    const repo = await fixture.empty('many.git');
    const texts = Array.from({ length: 300 }, (_, index) => `${index}\n`.repeat(index * 10));
    const oids = texts.map((text) => context(repo.gitDir, text));
    const answers = await Promise.all(oids.map((oid) => repo.objects.read(oid)));
    expect(answers.map((answer) => answer?.content.toString())).toEqual(texts);
    expect((await readers()).length).toBeLessThanOrEqual(2);
  });

  test('are replaced when they die during a request', async () => {
    const repo = await fixture.empty('dying.git');
    const oid = context(repo.gitDir, 'still here');
    await repo.objects.info(oid);
    for (const { pid } of await readers()) process.kill(pid, 'SIGKILL');
    const answers = await Promise.all(Array.from({ length: 20 }, () => repo.objects.read(oid)));
    expect(answers.map((answer) => answer?.content.toString())).toEqual(Array(20).fill('still here'));
  });

  test('are replaced when the supervisor dies', async () => {
    const repo = await fixture.empty('supervisorless.git');
    const oid = context(repo.gitDir, 'again');
    await repo.objects.info(oid);
    const pid = await fixture.git.supervisorPid();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect((await repo.objects.read(oid))?.content.toString()).toBe('again');
  });

  test('are bounded, and end when idle', async () => {
    for (const name of ['a.git', 'b.git', 'c.git']) {
      const repo = await fixture.empty(name);
      await repo.objects.info(context(repo.gitDir, name));
    }
    await expect.poll(readers).toEqual([]);
  });

  test('report a broken object and continue', async () => {
    const repo = await fixture.empty('broken.git');
    const [bad, good] = [context(repo.gitDir, 'bad'), context(repo.gitDir, 'good')];
    const path = join(repo.gitDir, 'objects', bad.slice(0, 2), bad.slice(2));
    chmodSync(path, 0o644);
    writeFileSync(path, 'not a zlib stream');
    await expect(repo.objects.need(bad, 'blob')).rejects.toThrow(/cat-file failed|not found/);
    expect((await repo.objects.read(good))?.content.toString()).toBe('good');
  });

  test('reject a malformed id', async () => {
    const repo = await fixture.empty('ids.git');
    for (const id of ['HEAD', 'main:x', 'a'.repeat(39), `${'a'.repeat(40)}\ncontents HEAD`, '']) {
      await expect(repo.objects.info(id)).rejects.toMatchObject({ code: 'invalid_name' });
      await expect(repo.objects.read(id)).rejects.toMatchObject({ code: 'invalid_name' });
    }
  });
});
