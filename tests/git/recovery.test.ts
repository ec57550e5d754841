import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { addressOf, commit, emptyFolder, git, projectToPush, tryGit } from '../support/stock-git.ts';

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-recovery-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function pushed(forgelog: Forgelog) {
  const { id, folder } = await projectToPush(forgelog, { name: 'p' });
  await git(folder, 'push', '-q', 'origin', 'main');
  const gitDir = join(forgelog.dataDir, 'repositories', repositoryPath(id));
  return { id, folder, gitDir, first: await git(folder, 'rev-parse', 'HEAD') };
}

/** What a vote leaves when the process ends between the append and the move: an object and an event, no ref. */
async function recordWithoutMoving(forgelog: Forgelog, id: number, move: Record<string, string>) {
  const data = {
    ...{ projectId: id, via: 'push', commitCount: 1, commitTitle: 'x', pushOptions: [] },
    ...{ commitCountIsLowerBound: false, forced: false, pushId: null, merge: null, suggestionIds: null },
    ...move,
  };
  const { revision } = (await forgelog.system.store.readStream(`repository-${id}`)).at(-1)!;
  await forgelog.system.ports.commands.append(
    `repository-${id}`,
    revision,
    [{ type: 'RefUpdated', data }],
    SYSTEM_METADATA,
  );
}

test('after a crash refs are rolled forward to the log, and stale locks are removed', async () => {
  const dataDir = await dataFolder();
  const before = await startForgelog({ dataDir });
  const { id, folder, gitDir, first } = await pushed(before);
  const second = await commit(folder, 'Second');
  await git(folder, 'push', '-q', 'origin', 'main:elsewhere');
  await recordWithoutMoving(before, id, { ref: 'refs/heads/main', oldOid: first, newOid: second });
  await before.stop();
  await rm(join(dataDir, 'repositories', 'clean-stop'));
  await writeFile(join(gitDir, 'refs/heads/main.lock'), '');
  await git(gitDir, 'update-ref', 'refs/heads/never-recorded', first);
  const after = await startForgelog({ dataDir });
  onTestFinished(() => after.stop());
  const refs = await git(gitDir, 'for-each-ref', '--format=%(objectname) %(refname)');
  expect(refs.split('\n')).toEqual([`${second} refs/heads/elsewhere`, `${second} refs/heads/main`]);
  const clone = join(await emptyFolder(), 'copy');
  const root = { name: 'root', secret: after.rootToken };
  await git(folder, 'clone', '-q', addressOf(after, 'root/p', root), clone);
  expect(await git(clone, 'rev-parse', 'HEAD')).toBe(second);
});

test('a ref moved by hand while the server was stopped is moved back', async () => {
  const dataDir = await dataFolder();
  const before = await startForgelog({ dataDir });
  const { gitDir, first } = await pushed(before);
  await before.stop();
  // Change times have the grain of a clock's tick.
  await sleep(20);
  await git(gitDir, 'update-ref', 'refs/heads/by-hand', first);
  const after = await startForgelog({ dataDir });
  onTestFinished(() => after.stop());
  expect(await git(gitDir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
});

test('a push that finds git behind the log is refused, and the next one succeeds', async () => {
  const forgelog = await forgelogForTest();
  const { id, folder, first, gitDir } = await pushed(forgelog);
  const second = await commit(folder, 'Second');
  await git(folder, 'push', '-q', 'origin', 'main');
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  await git(gitDir, 'update-ref', 'refs/heads/main', first);
  const third = await commit(folder, 'Third');
  expect((await tryGit(folder, 'push', 'origin', 'main')).code).not.toBe(0);
  await expect.poll(() => git(gitDir, 'rev-parse', 'refs/heads/main')).toBe(second);
  await git(folder, 'push', '-q', 'origin', 'main');
  const events = await forgelog.system.store.readStream(`repository-${id}`);
  const moves = events.filter(({ type }) => type === 'RefUpdated');
  expect(moves.map(({ data }) => (data as { newOid: string }).newOid)).toEqual([first, second, third]);
});

test('a client disconnect leaves no git process behind', async () => {
  const forgelog = await forgelogForTest();
  const { id } = await pushed(forgelog);
  const abort = new AbortController();
  const credentials = Buffer.from(`root:${forgelog.rootToken}`).toString('base64');
  let begun = () => {};
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(Buffer.from('0000'.slice(0, 2)));
      begun();
      await new Promise(() => {});
    },
  });
  const request = fetch(`${forgelog.url}/root/p.git/git-receive-pack`, {
    method: 'POST',
    body,
    duplex: 'half',
    signal: abort.signal,
    headers: {
      'Content-Type': 'application/x-git-receive-pack-request',
      Authorization: `Basic ${credentials}`,
    },
  } as RequestInit).catch(() => 'gone');
  const gitDir = join(forgelog.dataDir, 'repositories', repositoryPath(id));
  const running = () => commandsIn(gitDir);
  await beginning;
  await expect.poll(running).toBe(1);
  abort.abort();
  expect(await request).toBe('gone');
  await expect.poll(running).toBe(0);
});

/** How many receive-pack processes work in a repository. */
async function commandsIn(gitDir: string): Promise<number> {
  const { readdir, readFile } = await import('node:fs/promises');
  let found = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes('receive-pack') && line.includes(gitDir)) found++;
  }
  return found;
}
