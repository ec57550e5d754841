/** Forks whose log or server fails at each step. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { forkProject } from '@forgelog/contracts/repo/projects/project-fork.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { react } from '@forgelog/testing/given-policy.ts';
import { on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { projectDecider, projectStream } from '../projects/project.decider.ts';
import { projectSlice } from '../projects/project.slice.ts';
import { projectForking } from '../projects/project-fork.commands.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { createForking } from './forking.ts';
import { refLogDecider, refLogStream } from './ref-log.decider.ts';
import { unfinishedForks } from './unfinished-fork.policy.ts';

const ORIGIN = 7;
const FORK = 1;
const MANY = 1200;
const SOUND = { ok: true, problems: [] };
const principal = { userId: 1, username: 'user1', name: 'User 1', email: 'user1@example.org' } as Principal;
const wanted = {
  ...{ name: 'Fork', path: 'fork', namespace: undefined },
  ...{ description: undefined, visibility: undefined, mergeRequestsStay: undefined },
};

async function started() {
  const running = await startRepoSlices([projectSlice], [userCreated(1), projectCreated(ORIGIN)]);
  const { repo, ports, commit } = running;
  const tip = await commit(ORIGIN, 'main', { 'a.txt': 'a' });
  const project = await ports.directory.project(ORIGIN);
  const grant = { project, level: 50, can: () => true } as unknown as ProjectGrant;
  /** Forks with a log that takes so many appends of project or refs, and then none. */
  const forkUntil = (appends: number) => {
    let left = appends;
    const handle: typeof ports.commands.handle = async (decider, ...more) => {
      const counts = Object.is(decider, projectDecider) || Object.is(decider, refLogDecider);
      if (counts && left-- === 0) throw new Error('the log is away');
      return ports.commands.handle(decider, ...more);
    };
    const commands = { ...ports.commands, handle };
    const failing = { ...repo, commands, forking: createForking({ ...repo, commands }) };
    return projectForking(failing)(grant, wanted, principal, SYSTEM_METADATA);
  };
  /** What the policy does with the event of the fork's project. */
  const finish = async () => {
    const { state } = await ports.commands.load(projectDecider, projectStream(FORK));
    if (state.status !== 'present') throw new Error('there is no fork');
    const { status: _, archived: __, deletionDueAt: ___, ...data } = state;
    const event = { type: 'ProjectCreated', data: { projectId: FORK, ...data } };
    await react([unfinishedForks(repo)], on(projectStream(FORK), event));
  };
  const logged = async (projectId: number) =>
    (await ports.commands.load(refLogDecider, refLogStream(projectId))).state;
  const fork = repo.repositories.of(FORK);
  const addBranches = (count: number) =>
    repo.repositories.moveRefs(
      ORIGIN,
      Array.from({ length: count }, (_, at) => ({ ref: `refs/heads/b${at}`, oldOid: ZERO_OID, newOid: tip })),
      SYSTEM_METADATA,
      'api',
    );
  const marks = () => {
    const folder = join(repo.root, 'unclaimed');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  return { ...running, tip, forkUntil, finish, logged, fork, addBranches, marks };
}

test('without a project there is no repository, and the name is free', async () => {
  const { forkUntil, fork, call, repo } = await started();
  await expect(forkUntil(0)).rejects.toThrow('the log is away');
  expect(await fork.exists()).toBe(false);
  await repo.unclaimed.sweep();
  expect(await call(forkProject, { id: ORIGIN, name: 'Fork', path: 'fork' }, 1)).toMatchObject({
    status: 201,
  });
});

test('a server that was killed before the project leaves a repository that the next start removes', async () => {
  const { repo, fork, marks } = await started();
  await repo.forking.create(FORK, await repo.forking.pointOf(ORIGIN), 'main');
  expect(await fork.exists()).toBe(true);
  await repo.unclaimed.sweep();
  expect(await fork.exists()).toBe(false);
  expect(marks()).toEqual([]);
});

test('a fork without its refs is finished, as the origin was when it was forked', async () => {
  const { forkUntil, finish, logged, fork, repo, tip, commit, ports, marks } = await started();
  await expect(forkUntil(1)).rejects.toThrow('the log is away');
  // As a start does, before policies run.
  await repo.unclaimed.sweep();
  await repo.repositories.rollForward(FORK);
  expect(await fork.readRefs()).toEqual(new Map());
  await commit(ORIGIN, 'main', { 'b.txt': 'b' });
  await commit(ORIGIN, 'later', { 'c.txt': 'c' });
  const deletion = { type: 'DeleteProject', projectId: ORIGIN } as const;
  await ports.commands.handle(projectDecider, projectStream(ORIGIN), deletion, SYSTEM_METADATA);
  await repo.repositories.remove(ORIGIN);
  await finish();
  const refs = new Map([['refs/heads/main', tip]]);
  expect(await fork.readRefs()).toEqual(refs);
  expect((await logged(FORK)).refs.toMap()).toEqual(refs);
  expect(await fork.fsck()).toEqual(SOUND);
  expect(marks()).toEqual([]);
  const { revision } = await ports.commands.load(refLogDecider, refLogStream(FORK));
  await finish();
  expect(await ports.commands.load(refLogDecider, refLogStream(FORK))).toMatchObject({ revision });
});

test('a fork of many refs that has a part of them gets the others', async () => {
  const { forkUntil, finish, logged, fork, addBranches, repo } = await started();
  await addBranches(MANY);
  await expect(forkUntil(2)).rejects.toThrow('the log is away');
  expect((await logged(FORK)).refs.toMap().size).toBe(500);
  expect((await logged(FORK)).isForked).toBe(false);
  await finish();
  expect((await logged(FORK)).isForked).toBe(true);
  expect((await logged(FORK)).refs.toMap()).toEqual(await repo.repositories.of(ORIGIN).readRefs());
  expect(await fork.readRefs()).toEqual(await repo.repositories.of(ORIGIN).readRefs());
});

test('what is pushed to an unfinished fork stays', async () => {
  const { forkUntil, finish, fork, commit, addBranches, tip, repo } = await started();
  await addBranches(1);
  await expect(forkUntil(1)).rejects.toThrow('the log is away');
  await repo.repositories.rollForward(FORK);
  const own = await commit(FORK, 'main', { 'own.txt': '' });
  await finish();
  expect(await fork.readRefs()).toEqual(
    new Map([
      ['refs/heads/b0', tip],
      ['refs/heads/main', own],
    ]),
  );
});

test('a fork of a project without refs, and of one that is deleted meanwhile', async () => {
  const { repo, ports, fork, logged } = await started();
  const empty = await repo.forking.pointOf(8);
  expect(empty).toEqual({ originId: 8, revision: null, refs: new Map() });
  expect(await repo.forking.pointOf(8, null)).toEqual(empty);
  await repo.repositories.remove(ORIGIN);
  const deleted = { ...empty, originId: ORIGIN };
  await expect(repo.forking.create(FORK, deleted, 'main')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await fork.exists()).toBe(false);
  await repo.repositories.create(8, 'main');
  await repo.forking.create(FORK, empty, 'main');
  await repo.forking.record(FORK, empty, SYSTEM_METADATA);
  expect((await logged(FORK)).isForked).toBe(true);
  expect((await ports.commands.load(refLogDecider, refLogStream(FORK))).revision).toBe(0);
});
