import { deleteProject, getProject, updateProject } from '@forgelog/contracts/repo/projects/project.api.ts';
import {
  forkProject,
  linkFork,
  listForks,
  unlinkFork,
} from '@forgelog/contracts/repo/projects/project-fork.api.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { projectSlice } from './project.slice.ts';

const OWNER = 1;
const REPORTER = 2;
const GUEST = 3;
const OUTSIDER = 4;
const PRIVATE = 7;
const PUBLIC = 8;
const group = on('group-50', {
  type: 'GroupCreated',
  data: {
    ...{ groupId: 50, parentId: null, name: 'Team', path: 'team', fullPath: 'team', description: '' },
    ...{ visibility: 'internal', creatorId: OWNER, ownerId: OWNER, settings: {} },
  },
});
const inTeam = on('groupMember-50-4', {
  type: 'GroupMemberAdded',
  data: { groupId: 50, userId: OUTSIDER, accessLevel: 30, expiresAt: null, invitedBy: null },
});
const given = [
  ...[OWNER, REPORTER, GUEST, OUTSIDER].map((id) => userCreated(id)),
  projectCreated(PRIVATE, { settings: { merge_method: 'ff', issues_access_level: 'disabled' } }),
  projectCreated(PUBLIC, { visibility: 'public' }),
  memberAdded(PRIVATE, REPORTER, 20),
  memberAdded(PRIVATE, GUEST, 10),
];

async function started(more: typeof given = []) {
  const running = await startRepoSlices([projectSlice], [...given, ...more]);
  const tip = await running.commit(PRIVATE, 'main', { 'a.txt': 'a' });
  await running.commit(PUBLIC, 'main', { 'a.txt': 'b' });
  const made: number[] = [];
  const fork = async (id: number, params: object, as: number | null) => {
    const reply = await running.call(forkProject, { id, ...params }, as);
    if (reply.status === 201) made.push(reply.body.id);
    return reply;
  };
  const read = async (id: number, as = OWNER) => (await running.call(getProject, { id }, as)).body;
  return { ...running, tip, fork, read };
}

test('a reporter forks a private project into their own namespace', async () => {
  const { fork, call, repo, read, tip } = await started();
  const forked = await fork(PRIVATE, {}, REPORTER);
  expect(forked).toMatchObject({
    status: 201,
    body: {
      path_with_namespace: 'user2/project7',
      visibility: 'private',
      default_branch: 'main',
      empty_repo: false,
      import_status: 'finished',
      mr_default_target_self: false,
      issues_access_level: 'disabled',
      merge_method: 'merge',
      forked_from_project: {
        id: PRIVATE,
        name_with_namespace: 'User 1 / project7',
        path_with_namespace: 'user1/project7',
        http_url_to_repo: 'http://forgelog.test/user1/project7.git',
        web_url: 'http://forgelog.test/user1/project7',
      },
      owner: { id: REPORTER },
    },
  });
  expect(forked.events.filter(({ type }) => /^(Project|Ref|Repo|Push)/.test(type))).toMatchObject([
    { type: 'ProjectCreated', data: { forkedFromProjectId: PRIVATE, forkedAtRevision: 1 } },
    { type: 'RefUpdated', data: { ref: 'refs/heads/main', newOid: tip, via: 'fork', pushId: null } },
    { type: 'RepositoryForked', data: { forkedFromProjectId: PRIVATE, refCount: 1 } },
  ]);
  expect(await repo.repositories.of(forked.body.id).fsck()).toEqual({ ok: true, problems: [] });
  const stays = { id: forked.body.id, mr_default_target_self: true };
  expect((await call(updateProject, stays, REPORTER)).body.mr_default_target_self).toBe(true);
  expect((await read(PRIVATE)).forks_count).toBe(1);
  expect(await read(PRIVATE)).not.toHaveProperty('forked_from_project');
});

test('a fork is named and placed as asked, and is at most as open as origin and group', async () => {
  const { fork } = await started([group, inTeam]);
  const asked = { name: 'Mine', path: 'mine', description: 'Of my own', mr_default_target_self: true };
  for (const [where, visibility, shown] of [
    [{ namespace_id: 50 }, 'public', 'internal'],
    [{ namespace_path: 'team' }, undefined, 'internal'],
    [{ namespace: 'team' }, 'private', 'private'],
    [{ namespace: '1004' }, undefined, 'public'],
  ] as const) {
    const path = `mine-${JSON.stringify(where).length}`;
    const wanted = { ...asked, ...where, visibility, path, name: path };
    expect(await fork(PUBLIC, wanted, OUTSIDER)).toMatchObject({
      status: 201,
      body: { name: path, path, description: 'Of my own', visibility: shown, mr_default_target_self: true },
    });
  }
});

test('who may not fork, or not there, is told so and nothing is made', async () => {
  const { fork, call } = await started([group]);
  await fork(PUBLIC, {}, OUTSIDER);
  const taken = { message: { name: ['has already been taken'], path: ['has already been taken'] } };
  const nowhere = { message: '404 Target Namespace Not Found' };
  for (const [id, params, as, status, body] of [
    [PUBLIC, {}, null, 401, {}],
    [PRIVATE, {}, GUEST, 403, {}],
    [PRIVATE, {}, OUTSIDER, 404, { message: '404 Project Not Found' }],
    [PUBLIC, { namespace_id: 50 }, OUTSIDER, 404, nowhere],
    [PUBLIC, { namespace_id: 1001 }, OUTSIDER, 404, nowhere],
    [PUBLIC, { namespace_path: 'nobody' }, OUTSIDER, 404, nowhere],
    [PUBLIC, { namespace_path: 'user4', namespace_id: 1004 }, OUTSIDER, 400, {}],
    [PUBLIC, {}, OUTSIDER, 409, taken],
    [PUBLIC, {}, OWNER, 409, { message: { name: taken.message.name } }],
    [PUBLIC, { name: 'x', path: 'a..b/c' }, OUTSIDER, 409, { message: { path: expect.anything() } }],
  ] as const)
    expect({ params, ...(await fork(id, params, as)) }).toMatchObject({ params, status, body, events: [] });
  for (const [level, statuses] of [
    ['private', [403, 201]],
    ['disabled', [403, 403]],
  ] as const) {
    await call(updateProject, { id: PUBLIC, forking_access_level: level }, OWNER);
    const path = { name: level, path: level };
    const found = [await fork(PUBLIC, path, REPORTER), await fork(PUBLIC, path, OWNER)];
    expect(found.map(({ status }) => status)).toEqual(statuses);
  }
});

test('forks are listed for those who may see them, and the origin is told to those who see it', async () => {
  const { fork, call, read } = await started();
  const { body: open } = await fork(PUBLIC, {}, OUTSIDER);
  const { body: hidden } = await fork(PUBLIC, { visibility: 'private' }, REPORTER);
  const { body: own } = await fork(PRIVATE, { path: 'own', name: 'own' }, REPORTER);
  const listed = async (as: number | null, filter = {}) =>
    (await call(listForks, { id: PUBLIC, ...filter }, as)).body.map(({ id }: { id: number }) => id);
  expect(await listed(null)).toEqual([open.id]);
  expect(await listed(GUEST)).toEqual([open.id]);
  expect(await listed(REPORTER)).toEqual([hidden.id, open.id]);
  expect(await listed(REPORTER, { owned: true })).toEqual([hidden.id]);
  expect(await read(PUBLIC)).toMatchObject({ forks_count: 2, import_status: 'none' });
  expect((await read(open.id, GUEST)).forked_from_project.id).toBe(PUBLIC);
  await call(updateProject, { id: PUBLIC, visibility: 'private' }, OWNER);
  // Lowering the origin leaves its forks as they are; they cannot be opened further.
  expect(await read(open.id, OUTSIDER)).toMatchObject({ visibility: 'public' });
  expect(await read(open.id, OUTSIDER)).not.toHaveProperty('forked_from_project');
  expect((await read(own.id, REPORTER)).forked_from_project.id).toBe(PRIVATE);
  const opened = await call(updateProject, { id: hidden.id, visibility: 'internal' }, REPORTER);
  expect(opened).toMatchObject({
    status: 400,
    body: { message: { visibility_level: [expect.stringContaining('fork source project')] } },
    events: [],
  });
});

test('a relation begins and ends, and a project is no fork of its own fork', async () => {
  const { fork, call, read } = await started([projectCreated(9)]);
  const link = (id: number, forked_from_id: number | string, as = OWNER) =>
    call(linkFork, { id, forked_from_id }, as);
  expect(await link(9, 'user1/project8')).toMatchObject({
    status: 201,
    body: { forked_from_project: { id: PUBLIC } },
    events: [
      {
        type: 'ProjectUpdated',
        data: { changes: { forkedFromProjectId: PUBLIC }, previous: { forkedFromProjectId: null } },
      },
    ],
  });
  expect((await read(PUBLIC)).forks_count).toBe(1);
  const again = { status: 409, body: { message: 'Project already forked' }, events: [] };
  expect(await link(9, PRIVATE)).toMatchObject(again);
  expect(await link(PUBLIC, 9)).toMatchObject(again);
  expect(await link(9, 99)).toMatchObject({ status: 404, events: [] });
  expect(await link(9, PRIVATE, OUTSIDER)).toMatchObject({ status: 404, events: [] });
  expect(await call(unlinkFork, { id: 9 }, OWNER)).toMatchObject({
    status: 204,
    events: [{ type: 'ProjectUpdated', data: { changes: { forkedFromProjectId: null } } }],
  });
  expect(await call(unlinkFork, { id: 9 }, OWNER)).toMatchObject({ status: 304, events: [] });
  expect((await read(PUBLIC)).forks_count).toBe(0);
  const { body } = await fork(PUBLIC, {}, OUTSIDER);
  expect((await call(unlinkFork, { id: body.id }, REPORTER)).status).toBe(403);
});

test('a fork outlives its origin, and may get another', async () => {
  const { fork, call, read } = await started();
  const { body } = await fork(PUBLIC, {}, OUTSIDER);
  await call(deleteProject, { id: PUBLIC }, OWNER);
  expect(await read(body.id, OUTSIDER)).toMatchObject({ import_status: 'finished', default_branch: 'main' });
  expect(await read(body.id, OUTSIDER)).not.toHaveProperty('forked_from_project');
  expect(await call(unlinkFork, { id: body.id }, OUTSIDER)).toMatchObject({ status: 304 });
  const { body: other } = await call(forkProject, { id: body.id }, REPORTER);
  expect(await call(linkFork, { id: other.id, forked_from_id: body.id }, REPORTER)).toMatchObject({
    status: 409,
  });
  expect(await call(linkFork, { id: body.id, forked_from_id: PRIVATE }, OUTSIDER)).toMatchObject({
    status: 404,
  });
  expect((await read(body.id, OUTSIDER)).forks_count).toBe(1);
});
