import {
  archiveProject,
  createProject,
  createUserProject,
  deleteProject,
  getProject,
  listProjects,
  listUserProjects,
  starProject,
  unarchiveProject,
  unstarProject,
  updateProject,
} from '@forgelog/contracts/repo/projects/project.api.ts';
import { listProjectsOfGroup } from '@forgelog/contracts/repo/projects/project.operations.ts';
import { listProjectStarrers } from '@forgelog/contracts/repo/projects/project-starrer.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { projectSlice } from './project.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const OUTSIDER = 4;
const ADMINISTRATOR = 5;
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OUTSIDER].map((id) => userCreated(id)),
  userCreated(ADMINISTRATOR, { admin: true }),
  projectCreated(7),
  projectCreated(8, { visibility: 'public' }),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
];
const idsOf = ({ body }: { body: { id: number }[] }) => body.map(({ id }) => id);

test('a user creates a project with its repository, reads, archives and deletes it', async () => {
  const { call, repo } = await startRepoSlices([projectSlice], given);
  const created = await call(createProject, { name: 'Hello World', merge_method: 'ff' }, OUTSIDER);
  expect(created).toMatchObject({
    status: 201,
    body: {
      name: 'Hello World',
      path: 'hello-world',
      path_with_namespace: 'user4/hello-world',
      visibility: 'private',
      default_branch: null,
      empty_repo: true,
      merge_method: 'ff',
      owner: { id: OUTSIDER },
    },
  });
  const { id } = created.body;
  expect(created.events.filter(({ type }) => type.startsWith('Project'))).toMatchObject([
    { type: 'ProjectCreated', data: { projectId: id, settings: { merge_method: 'ff' }, storage: 'default' } },
  ]);
  expect(await repo.repositories.of(id).exists()).toBe(true);
  expect(await call(getProject, { id }, OUTSIDER)).toMatchObject({ status: 200, body: created.body });
  expect(await call(archiveProject, { id }, OUTSIDER)).toMatchObject({
    status: 201,
    body: { archived: true },
    events: [{ type: 'ProjectArchived' }],
  });
  expect((await call(archiveProject, { id }, OUTSIDER)).events).toEqual([]);
  expect(await call(unarchiveProject, { id }, OUTSIDER)).toMatchObject({
    status: 201,
    body: { archived: false },
    events: [{ type: 'ProjectUnarchived' }],
  });
  expect(await call(deleteProject, { id }, OUTSIDER)).toMatchObject({
    status: 202,
    events: [{ type: 'ProjectDeleted', data: { projectId: id, fullPath: 'user4/hello-world' } }],
  });
  expect((await call(getProject, { id }, OUTSIDER)).status).toBe(404);
});

test('a README is the first commit, on the branch that was asked for', async () => {
  const { call, repo } = await startRepoSlices([projectSlice], given);
  const wanted = { name: 'x', description: 'Why', initialize_with_readme: true, default_branch: 'trunk' };
  const { body, events } = await call(createProject, wanted, OWNER);
  expect(body).toMatchObject({ default_branch: 'trunk', empty_repo: false });
  expect(events.filter(({ type }) => type === 'RefUpdated')).toMatchObject([
    { data: { ref: 'refs/heads/trunk', via: 'api' } },
  ]);
  const repository = repo.repositories.of(body.id);
  const tip = await repository.readRef('refs/heads/trunk');
  const readme = await repository.file(tip!, 'README.md', 1000);
  expect(String(readme?.content)).toContain('Why');
});

test('an invalid project is rejected, and neither id nor name is taken', async () => {
  const { call } = await startRepoSlices([projectSlice], given);
  for (const [params, body] of [
    [{}, { error: 'name, path are missing, at least one parameter must be provided' }],
    [{ name: '' }, { message: { name: ["can't be blank"] } }],
    [{ name: 'a', path: 'blob' }, { message: { path: ['blob is a reserved name'] } }],
    [{ name: 'a', namespace_id: 1001 }, { message: { namespace: ['is not valid'] } }],
    [{ name: 'a', template_name: 'rails' }, { message: { template_name: [expect.any(String)] } }],
    [{ name: 'a', import_url: 'https://a.example/b.git' }, { message: { import_url: [expect.any(String)] } }],
    [
      { name: 'a', initialize_with_readme: true, default_branch: '-x' },
      { message: { default_branch: ['is invalid'] } },
    ],
  ] as const)
    expect(await call(createProject, params, OUTSIDER)).toMatchObject({
      status: 400,
      body,
      events: [],
    });
  expect((await call(createProject, { name: 'a' }, null)).status).toBe(401);
  expect((await call(createProject, { name: 'a' }, OUTSIDER)).body.id).toBe(1);
  expect(await call(createProject, { name: 'a' }, OUTSIDER)).toMatchObject({
    status: 400,
    body: { message: { name: ['has already been taken'], path: ['has already been taken'] } },
    events: [],
  });
});

test('a maintainer changes settings, and the owner alone what the project is called and who sees it', async () => {
  const { call } = await startRepoSlices([projectSlice], given);
  const update = (changes: object, caller: number | null) =>
    call(updateProject, { id: 7, ...changes }, caller);
  expect(await update({ description: 'New', merge_method: 'ff' }, MAINTAINER)).toMatchObject({
    status: 200,
    body: { description: 'New', merge_method: 'ff' },
    events: [
      { type: 'ProjectUpdated', data: { changes: { description: 'New', settings: { merge_method: 'ff' } } } },
    ],
  });
  for (const changes of [{ name: 'New' }, { path: 'renamed' }, { visibility: 'public' }])
    expect(await update(changes, MAINTAINER)).toMatchObject({ status: 403, events: [] });
  expect(await update({ name: 'New', path: 'renamed', visibility: 'public' }, OWNER)).toMatchObject({
    status: 200,
    body: { name: 'New', path_with_namespace: 'user1/renamed', visibility: 'public' },
  });
  expect((await call(getProject, { id: 'user1/renamed' }, OUTSIDER)).body).toMatchObject({ id: 7 });
});

test('a default branch must be there', async () => {
  const { call, commit } = await startRepoSlices([projectSlice], given);
  await commit(7, 'main', { a: '1' });
  expect((await call(getProject, { id: 7 }, OWNER)).body).toMatchObject({ default_branch: 'main' });
  const choose = (default_branch: string) => call(updateProject, { id: 7, default_branch }, MAINTAINER);
  expect(await choose('trunk')).toMatchObject({
    status: 400,
    body: {
      message: {
        default_branch: [
          "Could not set the default branch. Do you have a branch named 'trunk' in your repository?",
        ],
      },
    },
    events: [],
  });
  await commit(7, 'trunk', { b: '2' });
  expect(await choose('trunk')).toMatchObject({ status: 200, body: { default_branch: 'trunk' } });
});

test('who may not is refused, and others do not see a private project', async () => {
  const { call } = await startRepoSlices([projectSlice], given);
  const refused = [];
  for (const caller of [DEVELOPER, OUTSIDER, null])
    for (const endpoint of [updateProject, archiveProject, unarchiveProject, deleteProject])
      refused.push(await call(endpoint, { id: 7 }, caller));
  const four = (status: number) => Array.from({ length: 4 }, () => status);
  expect(refused.map(({ status }) => status)).toEqual([...four(403), ...four(404), ...four(401)]);
  expect((await call(deleteProject, { id: 7 }, MAINTAINER)).status).toBe(403);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
  expect((await call(getProject, { id: 7 }, OUTSIDER)).status).toBe(404);
});

test('an answer says what its reader may know', async () => {
  const { call } = await startRepoSlices([projectSlice], given);
  const read = async (id: number, caller: number | null, more = {}) =>
    (await call(getProject, { id, ...more }, caller)).body;
  expect(await read(7, MAINTAINER, { statistics: true })).toMatchObject({
    permissions: { project_access: { access_level: 40 }, group_access: null },
    runners_token: expect.any(String),
    statistics: { commit_count: 0 },
  });
  expect(await read(7, DEVELOPER)).not.toHaveProperty('runners_token');
  expect(await read(7, OWNER)).not.toHaveProperty('repository_storage');
  expect(await read(7, ADMINISTRATOR)).toMatchObject({ repository_storage: 'default' });
  expect(await read(8, OUTSIDER)).toMatchObject({ permissions: { project_access: null } });
  expect(await read(8, null)).not.toHaveProperty('permissions');
});

test('lists hold what the caller may see', async () => {
  const { call } = await startRepoSlices([projectSlice], given);
  expect(idsOf(await call(listProjects, {}, DEVELOPER))).toEqual([8, 7]);
  expect(idsOf(await call(listProjects, {}, OUTSIDER))).toEqual([8]);
  expect(idsOf(await call(listProjects, {}, null))).toEqual([8]);
  expect(idsOf(await call(listProjects, { membership: true }, DEVELOPER))).toEqual([7]);
  expect(idsOf(await call(listProjects, { order_by: 'id', sort: 'asc', per_page: 1 }, OWNER))).toEqual([7]);
  expect(idsOf(await call(listUserProjects, { user_id: 'user1' }, OWNER))).toEqual([8, 7]);
  expect((await call(listUserProjects, { user_id: 'nobody' }, OWNER)).status).toBe(404);
  expect((await call(listProjects, { order_by: 'luck' }, OWNER)).status).toBe(400);
});

test('another service reads the projects of a namespace as their reader may see them', async () => {
  const { ports } = await startRepoSlices([projectSlice], given);
  const page = { number: 1, size: 20, offset: 0, keyset: null };
  const request = { groupId: 1001, shared: false, filters: { simple: true }, page };
  const answer = await ports.operations.call(listProjectsOfGroup, request, { principal: null });
  expect(answer.items).toEqual([expect.stringMatching(/^\{"id":8,/)]);
  const shared = await ports.operations.call(
    listProjectsOfGroup,
    { ...request, shared: true },
    { principal: null },
  );
  expect(shared.items).toEqual([]);
});

test('a star counts once', async () => {
  const { call } = await startRepoSlices([projectSlice], given);
  const starred = { status: 201, body: { star_count: 1 }, events: [{ type: 'ProjectStarred' }] };
  expect(await call(starProject, { id: 8 }, OUTSIDER)).toMatchObject(starred);
  expect(await call(starProject, { id: 8 }, OUTSIDER)).toMatchObject({ status: 304, events: [] });
  const unstarred = { status: 201, body: { star_count: 0 }, events: [{ type: 'ProjectUnstarred' }] };
  expect(await call(unstarProject, { id: 8 }, OUTSIDER)).toMatchObject(unstarred);
  expect(await call(unstarProject, { id: 8 }, OUTSIDER)).toMatchObject({ status: 304, events: [] });
  expect((await call(starProject, { id: 8 }, null)).status).toBe(401);
});

test('those who starred a project are listed in their order, and found by their names', async () => {
  const { call } = await startRepoSlices([projectSlice], given);
  const starrers = async (params: object, as: number | null) =>
    (await call(listProjectStarrers, { id: 8, ...params }, as)).body.map(
      ({ user }: { user: { id: number } }) => user.id,
    );
  expect(await starrers({}, null)).toEqual([]);
  for (const userId of [OUTSIDER, OWNER]) await call(starProject, { id: 8 }, userId);
  const { body } = await call(listProjectStarrers, { id: 8 }, null);
  expect(body[0]).toMatchObject({ starred_since: expect.stringMatching(/^20.*Z$/), user: { id: OUTSIDER } });
  expect(await starrers({}, null)).toEqual([OUTSIDER, OWNER]);
  expect(await starrers({ search: `USER${OWNER}` }, null)).toEqual([OWNER]);
  expect(await starrers({ search: 'nobody' }, null)).toEqual([]);
  expect(await starrers({ search: 'user', per_page: 1, page: 2 }, null)).toEqual([OWNER]);
  await call(unstarProject, { id: 8 }, OUTSIDER);
  expect(await starrers({}, null)).toEqual([OWNER]);
  expect((await call(listProjectStarrers, { id: 7 }, OUTSIDER)).status).toBe(404);
});

test('an administrator creates a project as a user, in their namespace', async () => {
  const { call } = await startRepoSlices([projectSlice], given);
  const made = await call(createUserProject, { user_id: OUTSIDER, path: 'made' }, ADMINISTRATOR);
  expect(made).toMatchObject({
    status: 201,
    body: { path_with_namespace: `user${OUTSIDER}/made`, owner: { id: OUTSIDER }, creator_id: OUTSIDER },
  });
  expect(await call(createUserProject, { user_id: 99, path: 'x' }, ADMINISTRATOR)).toMatchObject({
    ...{ status: 404, events: [] },
  });
  expect(await call(createUserProject, { user_id: OUTSIDER }, ADMINISTRATOR)).toMatchObject({ status: 400 });
  const taken = await call(createUserProject, { user_id: OUTSIDER, path: 'made' }, ADMINISTRATOR);
  expect(taken).toMatchObject({ status: 400, events: [] });
  expect((await call(createUserProject, { user_id: OWNER, path: 'x' }, OWNER)).status).toBe(403);
});
