import { join } from 'node:path';
import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  PUSH_BOUNDS,
  type PushReceived,
  type RefUpdated,
} from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { refLogDecider, refLogStream } from '@forgelog/repo/repository-storage/ref-log.decider.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { commit, git, gitBytes, projectToPush, tryGit } from '../support/stock-git.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const ZERO = '0'.repeat(40);
const newProject = () => projectToPush(forgelog);

type Event = RecordedEvent &
  (
    | { type: 'RefUpdated'; data: EventOf<typeof RefUpdated>['data'] }
    | { type: 'PushReceived'; data: EventOf<typeof PushReceived>['data'] }
  );

const eventsOf = async (projectId: number) =>
  (await forgelog.system.store.readStream(`repository-${projectId}`)) as Event[];
const pushesOf = async (projectId: number) =>
  (await eventsOf(projectId)).flatMap((event) => (event.type === 'PushReceived' ? event.data : []));

const write = (folder: string, message: string, author: string, date: string) =>
  git(folder, 'commit', '-q', '--allow-empty', '-m', message, `--author=${author}`, `--date=${date}`);

test.each([['--atomic'], []])(
  'a push of several refs is one event after those of its refs: %s',
  async (...how) => {
    const { id, folder } = await newProject();
    await git(folder, 'push', 'origin', 'main');
    const first = await git(folder, 'rev-parse', 'HEAD');
    await git(folder, 'push', 'origin', 'main:old', 'main:refs/tags/moved');
    await write(folder, 'One', 'Ada <ada@example.org>', '2026-01-02T23:00:00+05:30');
    await write(folder, 'Two', 'Ada <ada@example.org>', '2026-01-03T01:00:00+05:30');
    await write(folder, 'Three', 'Bob <bob@example.org>', '2026-01-03T09:00:00-08:00');
    const tip = await git(folder, 'rev-parse', 'HEAD');
    const before = (await eventsOf(id)).length;
    await git(folder, 'push', ...how, 'origin', 'main', 'main:other', ':old', '+main:refs/tags/moved');
    const events = (await eventsOf(id)).slice(before);
    expect(events.map(({ type }) => type)).toEqual([
      ...['RefUpdated', 'RefUpdated', 'RefUpdated', 'RefUpdated'],
      'PushReceived',
    ]);
    const [push] = (await pushesOf(id)).slice(-1);
    expect(new Set(events.map(({ data }) => data.pushId))).toEqual(new Set([push!.pushId]));
    expect(events.at(-1)!.metadata).toEqual(events[0]!.metadata);
    const branch = { kind: 'branch', forced: false } as const;
    expect({ ...push, refs: push!.refs.toSorted((a, b) => (a.ref < b.ref ? -1 : 1)) }).toEqual({
      ...{ projectId: id, pushId: expect.any(String), via: 'push', pushOptions: [], refCount: 4 },
      refs: [
        { ...branch, ref: 'refs/heads/main', change: 'moved', oldOid: first, newOid: tip, commitCount: 3 },
        { ...branch, ref: 'refs/heads/old', change: 'deleted', oldOid: first, newOid: ZERO, commitCount: 0 },
        { ...branch, ref: 'refs/heads/other', change: 'created', oldOid: ZERO, newOid: tip, commitCount: 3 },
        {
          ...{ ref: 'refs/tags/moved', kind: 'tag', change: 'moved', forced: true },
          ...{ oldOid: first, newOid: tip, commitCount: 0 },
        },
      ],
      // Two branches share the same three commits.
      ...{ commitCount: 3, commitCountIsLowerBound: false, authorsAreComplete: true },
      authors: [
        { name: 'Ada', utcOffset: '+05:30', commits: 2 },
        { name: 'Bob', utcOffset: '-08:00', commits: 1 },
      ],
    });
  },
);

test('a branch is forced if it drops a commit, also to an older one and beyond the listed commits', async () => {
  const { id, folder } = await newProject();
  const first = await git(folder, 'rev-parse', 'HEAD');
  await commit(folder, 'Second');
  await git(folder, 'push', 'origin', 'main');
  const forced = async (...refspec: string[]) => {
    await git(folder, 'push', '--force', 'origin', ...refspec);
    return (await pushesOf(id)).at(-1)!.refs[0]!.forced;
  };
  expect(await forced('main:side')).toBe(false);
  expect(await forced(`${first}:side`)).toBe(true);
  await git(folder, 'reset', '-q', '--hard', first);
  await commit(folder, 'Instead');
  expect(await forced('HEAD:side')).toBe(false);
  expect(await forced('main~0:side', 'HEAD:beside')).toBe(false);
  await git(folder, 'checkout', '-q', '--detach', 'origin/main');
  await git(folder, 'merge', '-q', '--no-edit', '-s', 'ours', 'main');
  expect(await forced('HEAD:side')).toBe(false);
  const most = Array.from({ length: PUSH_BOUNDS.authoredCommits + 1 }, (_, at) => {
    const from = at === 0 ? 'from HEAD^0\n' : '';
    return `commit refs/heads/many\ncommitter A <a@example.org> ${at} +0000\ndata 1\nx\n${from}\n`;
  });
  await gitBytes(folder, most.join(''), 'fast-import', '--quiet');
  expect(await forced('many:side')).toBe(false);
  expect((await pushesOf(id)).at(-1)).toMatchObject({
    ...{ commitCount: PUSH_BOUNDS.authoredCommits + 1, commitCountIsLowerBound: false },
    authorsAreComplete: false,
  });
});

test('where git moves some refs only, the push tells of these', async () => {
  const { id, folder } = await newProject();
  await git(folder, 'push', 'origin', 'main', 'main:a');
  await commit(folder, 'Second');
  // `a/b` cannot be beside `a`, and git finds that out after the rules.
  const partly = await tryGit(folder, 'push', 'origin', 'main', 'main:a/b');
  expect(partly.code).not.toBe(0);
  await expect
    .poll(async () => (await pushesOf(id)).at(-1)?.refs)
    .toMatchObject([{ ref: 'refs/heads/main', change: 'moved' }]);
  expect((await pushesOf(id)).at(-1)).toMatchObject({ refCount: 1, commitCount: 1 });
});

test('a push whose server was killed between two refs is told once nothing runs any more', async () => {
  const { id, folder } = await newProject();
  await git(folder, 'push', 'origin', 'main');
  const oid = await git(folder, 'rev-parse', 'HEAD');
  const gitDir = join(forgelog.dataDir, 'repositories', repositoryPath(id));
  await git(gitDir, 'update-ref', 'refs/heads/cut', oid);
  const move = { ref: 'refs/heads/cut', oldOid: ZERO, newOid: oid, commitTitle: 'First commit' };
  const described = { ...move, commitCount: 0, commitCountIsLowerBound: false, forced: false };
  const push = { projectId: id, pushId: 'cut-off', via: 'push', pushOptions: ['ci.skip'] } as const;
  const { events } = await forgelog
    .portsOf('repo')
    .commands.handle(
      refLogDecider,
      refLogStream(id),
      { type: 'RecordMoves', ...push, moves: [described], commits: null },
      { ...SYSTEM_METADATA, actorId: 1 },
    );
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  const ended = (await eventsOf(id)).filter(({ data }) => data.pushId === 'cut-off');
  expect(ended).toMatchObject([
    { type: 'RefUpdated' },
    {
      type: 'PushReceived',
      data: { ...push, refCount: 1, refs: [{ ref: 'refs/heads/cut' }], commitCountIsLowerBound: true },
      metadata: { actorId: 1, causationId: events[0]!.id },
    },
  ]);
});

test('a ref that stayed behind follows the log, without another push', async () => {
  const { id, folder } = await newProject();
  await git(folder, 'push', 'origin', 'main');
  const oid = await git(folder, 'rev-parse', 'HEAD');
  const move = { ref: 'refs/heads/late', oldOid: ZERO, newOid: oid, commitTitle: 'First commit' };
  const described = { ...move, commitCount: 0, commitCountIsLowerBound: false, forced: false };
  const commits = { commitCount: 0, commitCountIsLowerBound: false, authors: [], authorsAreComplete: true };
  const push = { projectId: id, pushId: 'late', via: 'push', pushOptions: [] } as const;
  // An append that arrives after its writer has given up, and git has dropped its locks.
  const command = { type: 'RecordMoves' as const, ...push, moves: [described], commits };
  await forgelog
    .portsOf('repo')
    .commands.handle(refLogDecider, refLogStream(id), command, { ...SYSTEM_METADATA, actorId: 1 });
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  expect(await git(folder, 'ls-remote', 'origin', 'refs/heads/late')).toContain(oid);
});

test('a request of the API that moves refs is a push too', async () => {
  const { body } = await forgelog.post('/projects', { name: 'by-api', initialize_with_readme: true });
  const at = `/projects/${body.id}/repository`;
  await forgelog.post(`${at}/branches`, { branch: 'next', ref: 'main' });
  await forgelog.post(`${at}/tags`, { tag_name: 'v1', ref: 'main' });
  await forgelog.delete(`${at}/branches/next`);
  const told = (await pushesOf(body.id)).map(({ via, refs: [ref], commitCount }) => [
    ...[via, ref!.ref, ref!.change, commitCount],
  ]);
  expect(told).toEqual([
    ['api', 'refs/heads/main', 'created', 1],
    ['api', 'refs/heads/next', 'created', 0],
    ['api', 'refs/tags/v1', 'created', 0],
    ['api', 'refs/heads/next', 'deleted', 0],
  ]);
});
