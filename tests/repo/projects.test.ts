import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectSettingParams } from '@forgelog/contracts/repo/projects/project-settings.params.ts';
import { NOT_SERVED, servedSettings } from '@forgelog/contracts/shared/not-served.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { projects } from '@forgelog/repo/projects/project.collection.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGroup, createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let ann: TestUser;
let ben: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  ann = await createUser(forgelog);
  ben = await createUser(forgelog);
});
afterAll(() => forgelog.stop());

let counter = 0;
async function newProject(attributes: object = {}, token = forgelog.rootToken) {
  const reply = await forgelog.post('/projects', { name: `project ${++counter}`, ...attributes }, { token });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}
/** A group of root's in which ann has this level. */
async function newGroup(level: number, attributes: Record<string, unknown> = {}) {
  const group = await createGroup(forgelog, attributes);
  await forgelog.post(`/groups/${group.id}/members`, { user_id: ann.id, access_level: level });
  return group;
}
const hasRepository = (id: number) =>
  stat(join(forgelog.dataDir, 'repositories', repositoryPath(id), 'HEAD')).then(
    () => true,
    () => false,
  );

test('a project is created with its repository, read, archived and deleted', async () => {
  const created = await forgelog.post('/projects', { name: 'Hello World', description: 'first' });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    name: 'Hello World',
    path: 'hello-world',
    path_with_namespace: 'root/hello-world',
    name_with_namespace: 'Administrator / Hello World',
    description: 'first',
    visibility: 'private',
    default_branch: null,
    readme_url: null,
    empty_repo: true,
    archived: false,
    owner: { username: 'root' },
    namespace: { kind: 'user', full_path: 'root' },
    permissions: { project_access: { access_level: 40 }, group_access: null },
    http_url_to_repo: `${forgelog.url}/root/hello-world.git`,
    _links: { self: `${forgelog.url}/api/v4/projects/${created.body.id}` },
  });
  const { id } = created.body;
  expect(await hasRepository(id)).toBe(true);
  expect((await forgelog.get(`/projects/${id}`)).body).toEqual(created.body);
  expect((await forgelog.get('/projects/ROOT%2FHello-World')).body).toEqual(created.body);
  const archived = await forgelog.post(`/projects/${id}/archive`);
  expect(archived).toMatchObject({ status: 201, body: { archived: true } });
  expect((await forgelog.post(`/projects/${id}/archive`)).body.archived).toBe(true);
  expect((await forgelog.post(`/projects/${id}/unarchive`)).body.archived).toBe(false);
  const deleted = await forgelog.delete(`/projects/${id}`);
  expect(deleted).toMatchObject({ status: 202, body: { message: '202 Accepted' } });
  const gone = { status: 404, body: { message: '404 Project Not Found' } };
  expect(await forgelog.get(`/projects/${id}`)).toMatchObject(gone);
  expect(await forgelog.delete(`/projects/${id}`)).toMatchObject(gone);
  await newProject({ path: 'hello-world' });
  await forgelog.system.projectors.policiesIdle();
  expect(await hasRepository(id)).toBe(false);
});

test('a README makes the first commit, on the requested branch', async () => {
  const plain = await newProject({ name: 'With readme', initialize_with_readme: true });
  expect(plain).toMatchObject({ default_branch: 'main', empty_repo: false });
  const other = await newProject({ initialize_with_readme: true, default_branch: 'trunk' });
  expect(other.default_branch).toBe('trunk');
  await forgelog.system.projectors.policiesIdle();
  const { body } = await forgelog.get(`/projects/${plain.id}?statistics=true`);
  expect(body.readme_url).toBe(`${forgelog.url}/root/with-readme/-/blob/main/README.md`);
  expect(body.statistics.commit_count).toBe(1);
  const events = await forgelog.system.store.readStream(`repository-${plain.id}`);
  expect(events).toMatchObject([
    { type: 'RefUpdated', data: { via: 'api', commitTitle: 'Initial commit' } },
    { type: 'PushReceived', data: { via: 'api' } },
  ]);
  // One change is one event, and one audit event.
  const made = await forgelog.system.store.readStream(`project-${other.id}`);
  expect(made).toMatchObject([{ type: 'ProjectCreated', data: { defaultBranch: 'trunk' } }]);
  expect((await forgelog.get(`/projects/${other.id}/audit_events`)).body).toHaveLength(1);
  const refused = await forgelog.post('/projects', {
    name: 'x',
    initialize_with_readme: true,
    default_branch: '-x',
  });
  expect(refused.body.message).toEqual({ default_branch: ['is invalid'] });
});

test('if a creation breaks off before its README, the first commit chooses the default branch', async () => {
  const { id } = await newProject();
  const changes = { defaultBranch: 'main' };
  const event = { type: 'ProjectUpdated', data: { projectId: id, changes, previous: null } };
  await forgelog.system.ports.commands.append(`project-${id}`, 0, [event], SYSTEM_METADATA);
  const commit = { branch: 'develop', commit_message: 'First', content: 'x' };
  expect((await forgelog.post(`/projects/${id}/repository/files/a`, commit)).status).toBe(201);
  expect((await forgelog.get(`/projects/${id}`)).body.default_branch).toBe('develop');
  const other = { ...commit, branch: 'other', start_branch: 'develop' };
  expect((await forgelog.post(`/projects/${id}/repository/files/b`, other)).status).toBe(201);
  expect((await forgelog.get(`/projects/${id}`)).body.default_branch).toBe('develop');
});

test('an invalid new project is refused, and nothing is created', async () => {
  const last = await newProject();
  for (const [attributes, body] of [
    [{}, { error: 'name, path are missing, at least one parameter must be provided' }],
    [{ name: '' }, { message: { name: ["can't be blank"], path: ["can't be blank"] } }],
    [
      { path: '-x' },
      {
        message: {
          name: [expect.stringContaining('can contain only')],
          path: [expect.stringContaining("Cannot start with '-'")],
        },
      },
    ],
    [{ name: 'ok', path: 'x.git' }, { message: { path: [expect.stringContaining("end in '.git'")] } }],
    [{ name: 'ok', path: 'a/b' }, { message: { path: [expect.stringContaining('can contain only')] } }],
    [{ path: 'blob' }, { message: { path: ['blob is a reserved name'] } }],
    [
      { name: '?' },
      { message: { name: [expect.stringContaining('It must start with letter')], path: ["can't be blank"] } },
    ],
    [
      { name: 'x'.repeat(256), path: 'y' },
      { message: { name: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      { name: 'ok', description: 'x'.repeat(2001) },
      { message: { description: ['is too long (maximum is 2000 characters)'] } },
    ],
    [{ name: 'ok', visibility: 'secret' }, { error: 'visibility does not have a valid value' }],
    [{ name: 'ok', namespace_id: 999_999 }, { message: { namespace: ['is not valid'] } }],
    [
      { name: 'ok', repository_storage: 'elsewhere' },
      { message: { repository_storage: ['is not included in the list'] } },
    ],
    [
      { name: 'ok', template_name: 'rails' },
      { message: { template_name: ["'rails' is unknown or invalid"] } },
    ],
  ] as const) {
    const reply = await forgelog.post('/projects', attributes);
    expect(reply, JSON.stringify(attributes)).toMatchObject({ status: 400, body });
  }
  expect((await forgelog.post('/projects', { name: 'ok' }, { token: null })).status).toBe(401);
  expect((await newProject()).id).toBe(last.id + 1);
});

test('names and paths are unique in a namespace', async () => {
  await newProject({ name: 'Taken', path: 'taken' });
  const both = await forgelog.post('/projects', { name: 'Taken', path: 'TAKEN' });
  expect(both).toMatchObject({
    status: 400,
    body: {
      message: { name: ['has already been taken'], path: ['has already been taken'], limit_reached: [] },
    },
  });
  const path = await forgelog.post('/projects', { name: 'Other', path: 'taken' });
  expect(path.body.message).toEqual({ path: ['has already been taken'], limit_reached: [] });
  const name = await forgelog.post('/projects', { name: 'Taken', path: 'other' });
  expect(name.body.message).toEqual({ name: ['has already been taken'], limit_reached: [] });
  await newProject({ name: 'Now free', path: 'other' });
  await newProject({ name: 'Taken', path: 'taken' }, ann.token);
});

test('one of many concurrent creators gets a path', async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => forgelog.post('/projects', { name: 'Contended' })),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
});

test('a claim of an abandoned creation does not block the name', async () => {
  const { commands, ids } = forgelog.system.ports;
  const projectId = await ids.next('project');
  const claim = { type: 'NameClaimed', data: { holder: 'project', holderId: projectId } };
  await commands.append('route-1/broken-off', 'no-stream', [claim], SYSTEM_METADATA);
  expect((await newProject({ path: 'broken-off' })).path).toBe('broken-off');
  // Whoever was so slow finds that his project cannot be created any more.
  const [fence] = await forgelog.system.store.readStream(`project-${projectId}`);
  expect(fence?.type).toBe('NameForfeited');
});

test('only permitted callers create projects in a namespace', async () => {
  const status = async (namespaceId: number, token: string) =>
    (await forgelog.post('/projects', { name: `p ${++counter}`, namespace_id: namespaceId }, { token }))
      .status;
  const { namespaceId } = (await forgelog.system.ports.directory.user(ben.id))!;
  expect(await status(namespaceId!, ann.token)).toBe(400);
  expect(await status(namespaceId!, ben.token)).toBe(201);
  expect(await status(namespaceId!, forgelog.rootToken)).toBe(201);
  expect(await status((await newGroup(20)).id, ann.token)).toBe(400);
  const developers = await newGroup(30);
  expect(await status(developers.id, ann.token)).toBe(201);
  expect(await status(developers.id, ben.token)).toBe(400);
  const maintainers = await newGroup(30);
  await forgelog.put(`/groups/${maintainers.id}`, { project_creation_level: 'maintainer' });
  expect(await status(maintainers.id, ann.token)).toBe(400);
  await forgelog.put(`/groups/${maintainers.id}`, { project_creation_level: 'noone' });
  expect(await status(maintainers.id, ann.token)).toBe(400);
  expect(await status(maintainers.id, forgelog.rootToken)).toBe(201);
});

test('a project is at most as visible as its group', async () => {
  const group = await newGroup(50, { visibility: 'internal' });
  const refused = await forgelog.post('/projects', {
    name: 'x',
    namespace_id: group.id,
    visibility: 'public',
  });
  expect(refused.body.message).toEqual({
    visibility_level: ['public is not allowed since its group has internal visibility.'],
  });
  const { id } = await newProject({ namespace_id: group.id, visibility: 'internal' });
  const opened = await forgelog.put(`/projects/${id}`, { visibility: 'public' });
  expect(opened.body.message).toEqual({
    visibility_level: ['public is not allowed since its group has internal visibility.'],
  });
});

test("an account's project limit is enforced", async () => {
  const limited = await createUser(forgelog, { projects_limit: 1 });
  await newProject({}, limited.token);
  expect(await forgelog.post('/projects', { name: 'one more' }, { token: limited.token })).toMatchObject({
    status: 403,
    body: { error: ['Your project limit is 1 projects! Please contact your administrator to increase it'] },
  });
  const none = await createUser(forgelog, { projects_limit: 0 });
  const refused = await forgelog.post('/projects', { name: 'one' }, { token: none.token });
  expect(refused.body.error[0]).toContain('Personal project creation is not allowed.');
});

/** A value of each setting that is not its default. */
const CHANGED: Record<string, unknown> = {
  allow_merge_on_skipped_pipeline: true,
  approvals_before_merge: 2,
  auto_cancel_pending_pipelines: 'disabled',
  auto_devops_deploy_strategy: 'manual',
  auto_devops_enabled: true,
  autoclose_referenced_issues: false,
  build_coverage_regex: '\\d+%',
  build_git_strategy: 'clone',
  build_timeout: 7200,
  ci_config_path: 'ci.yml',
  ci_default_git_depth: 10,
  ci_forward_deployment_enabled: false,
  emails_disabled: true,
  external_authorization_classification_label: 'label',
  issues_template: 'issue',
  keep_latest_artifact: false,
  lfs_enabled: false,
  merge_commit_template: 'Merge: %{title}\n\n%{description}',
  merge_method: 'ff',
  merge_requests_template: 'request',
  mirror: true,
  mirror_overwrites_diverged_branches: true,
  mirror_trigger_builds: true,
  mirror_user_id: 1,
  only_allow_merge_if_all_discussions_are_resolved: true,
  only_allow_merge_if_pipeline_succeeds: true,
  only_mirror_protected_branches: true,
  packages_enabled: false,
  remove_source_branch_after_merge: false,
  repository_storage: 'default',
  request_access_enabled: false,
  resolve_outdated_diff_discussions: true,
  restrict_user_defined_variables: true,
  service_desk_enabled: true,
  shared_runners_enabled: false,
  show_default_award_emojis: false,
  squash_commit_template: '%{all_commits}',
  squash_option: 'always',
  suggestion_commit_message: 'Suggested',
  topics: ['b', 'a'],
  pages_access_level: 'public',
  requirements_access_level: 'public',
};

test('every setting can be set and is answered', async () => {
  const { id } = await newProject();
  const levels = Object.keys(projectSettingParams).filter((name) => name.endsWith('_access_level'));
  const wanted = { ...Object.fromEntries(levels.map((name) => [name, 'private'])), ...CHANGED };
  const otherwise = /_enabled$|^tag_list$|^public_builds$|_attributes$|^mr_default_target_self$/;
  const names = Object.keys(projectSettingParams).filter((name) => !otherwise.test(name));
  expect(names.filter((name) => !(name in wanted))).toEqual([]);
  const { status, body } = await forgelog.put(`/projects/${id}`, wanted);
  expect(status).toBe(200);
  expect(body).toMatchObject(servedSettings(wanted));
  expect(body.tag_list).toEqual(['b', 'a']);
  expect((await forgelog.put(`/projects/${id}`, { public_builds: false })).body.public_jobs).toBe(false);
  const policy = { container_expiration_policy_attributes: { keep_n: 5, name_regex: 'x' } };
  const kept = (await forgelog.put(`/projects/${id}`, policy)).body.container_expiration_policy;
  expect(kept).toMatchObject({ keep_n: 5, name_regex: 'x', cadence: '1d' });
  const cleared = await forgelog.put(`/projects/${id}`, {
    ci_config_path: null,
    description: '',
    topics: [],
  });
  expect(cleared.body).toMatchObject({ ci_config_path: null, topics: [], tag_list: [] });
});

test('features that are not implemented are off in every answer', async () => {
  const made = await newProject({ lfs_enabled: true, wiki_access_level: 'enabled' });
  const { id } = made;
  const off = {
    ...NOT_SERVED,
    ...{ container_registry_enabled: false },
  };
  const on = {
    ...{ issues_enabled: true, issues_access_level: 'enabled', snippets_enabled: true },
    ...{ repository_access_level: 'enabled', wiki_enabled: true, wiki_access_level: 'enabled' },
  };
  expect(made).toMatchObject({ ...off, ...on });
  const everything = Object.keys(NOT_SERVED).map((name) => [name, /level$/.test(name) ? 'enabled' : true]);
  const put = await forgelog.put(`/projects/${id}`, Object.fromEntries(everything));
  expect([put.status, put.body]).toMatchObject([200, { ...off, ...on }]);
  const { settings } = (await forgelog.portsOf('repo').readStore.get(projects, id))!;
  expect(settings).toMatchObject({ service_desk_enabled: true, mirror: true, pages_access_level: 'enabled' });
  const group = await forgelog.post('/groups', { name: 'g', path: 'served', lfs_enabled: true });
  expect(group.body).toMatchObject({ lfs_enabled: false, request_access_enabled: true });
});

test('deprecated flags and their access levels agree', async () => {
  const { id } = await newProject();
  for (const [flag, level] of [
    ['issues_enabled', 'issues_access_level'],
    ['merge_requests_enabled', 'merge_requests_access_level'],
    ['jobs_enabled', 'builds_access_level'],
    ['wiki_enabled', 'wiki_access_level'],
    ['snippets_enabled', 'snippets_access_level'],
    ['container_registry_enabled', 'container_registry_access_level'],
  ] as const) {
    const isServed = !(level in NOT_SERVED);
    const put = async (changes: object) => {
      const { status, body } = await forgelog.put(`/projects/${id}`, changes);
      expect(status).toBe(200);
      const kept = (await forgelog.portsOf('repo').readStore.get(projects, id))!.settings;
      return { body, kept: (kept as Record<string, string>)[level] ?? 'enabled' };
    };
    for (const [changes, kept] of [
      [{ [flag]: false }, 'disabled'],
      [{ [flag]: 'True' }, 'enabled'],
      [{ [level]: 'private' }, 'private'],
      [{ [level]: 'disabled', [flag]: true }, 'disabled'],
    ] as const) {
      const answered = isServed ? kept : 'disabled';
      expect(await put(changes)).toMatchObject({
        body: { [flag]: answered !== 'disabled', [level]: answered },
        kept,
      });
    }
  }
  const tagged = await forgelog.put(`/projects/${id}`, { tag_list: 'x, y,x' });
  expect(tagged.body).toMatchObject({ topics: ['x', 'y'], tag_list: ['x', 'y'] });
});

test('maintainers change settings; names and visibility are the owner’s', async () => {
  const { id } = await newProject();
  await forgelog.post(`/projects/${id}/members`, { user_id: ann.id, access_level: 40 });
  await forgelog.post(`/projects/${id}/members`, { user_id: ben.id, access_level: 30 });
  const put = async (changes: object, token: string) =>
    (await forgelog.put(`/projects/${id}`, changes, { token })).status;
  expect(await put({ description: 'new' }, ann.token)).toBe(200);
  expect(await put({ name: 'New name' }, ann.token)).toBe(403);
  expect(await put({ path: 'new-path' }, ann.token)).toBe(403);
  expect(await put({ visibility: 'public' }, ann.token)).toBe(403);
  expect(await put({ visibility: 'private' }, ann.token)).toBe(200);
  expect(await put({ description: 'newer' }, ben.token)).toBe(403);
  for (const token of [ann.token, ben.token]) {
    expect((await forgelog.delete(`/projects/${id}`, { token })).status).toBe(403);
    expect((await forgelog.post(`/projects/${id}/archive`, undefined, { token })).status).toBe(403);
  }
  const { body } = await forgelog.put(`/projects/${id}`, { mirror_user_id: ann.id }, { token: ann.token });
  expect(body.mirror_user_id).toBe(null);
  const outsider = await createUser(forgelog);
  expect((await forgelog.put(`/projects/${id}`, {}, { token: outsider.token })).status).toBe(404);
  expect((await forgelog.get(`/projects/${id}`, { token: null })).status).toBe(404);
});

test('fields that need a role are left out for others', async () => {
  const { id } = await newProject({ visibility: 'public', issues_access_level: 'private' });
  await forgelog.post(`/projects/${id}/members`, { user_id: ann.id, access_level: 20 });
  const owner = (await forgelog.get(`/projects/${id}?statistics=1&license=1`)).body;
  expect(owner).toHaveProperty('runners_token');
  expect(owner).toMatchObject({
    repository_storage: 'default',
    license: null,
    statistics: { commit_count: 0 },
  });
  const reporter = (await forgelog.get(`/projects/${id}?statistics=1`, { token: ann.token })).body;
  for (const name of ['runners_token', 'import_url', 'repository_storage'])
    expect(reporter).not.toHaveProperty(name);
  expect(reporter).toHaveProperty('statistics');
  expect(reporter.permissions.project_access.access_level).toBe(20);
  const outsider = (await forgelog.get(`/projects/${id}?statistics=1`, { token: ben.token })).body;
  for (const name of ['statistics', 'open_issues_count', 'runners_token'])
    expect(outsider).not.toHaveProperty(name);
  expect(outsider.permissions).toEqual({ project_access: null, group_access: null });
});

test('after a rename the new path works and the old one is free', async () => {
  const { id } = await newProject({ name: 'Old', path: 'old' });
  await newProject({ name: 'Neighbour', path: 'neighbour' });
  expect((await forgelog.put(`/projects/${id}`, { path: 'neighbour' })).body.message).toEqual({
    path: ['has already been taken'],
  });
  expect((await forgelog.put(`/projects/${id}`, { name: 'Neighbour' })).body.message).toEqual({
    name: ['has already been taken'],
  });
  const renamed = await forgelog.put(`/projects/${id}`, { name: 'New', path: 'renamed' });
  expect(renamed.body).toMatchObject({ name: 'New', path_with_namespace: 'root/renamed' });
  expect((await forgelog.get('/projects/root%2Fold')).status).toBe(404);
  expect((await forgelog.get('/projects/root%2Frenamed')).body.id).toBe(id);
  expect((await forgelog.put(`/projects/${id}`, { path: 'RENAMED' })).body.path).toBe('RENAMED');
  await newProject({ name: 'Old', path: 'old' });
});

test('an import URL is stored as it is, and refused with a password', async () => {
  const { id } = await newProject();
  const put = (import_url: string) => forgelog.put(`/projects/${id}`, { import_url });
  for (const address of ['https://example.org/x.git', 'ssh://git@example.org/x.git'])
    expect((await put(address)).body.import_url).toBe(address);
  const written = await forgelog.system.store.readStream(`project-${id}`);
  expect(await put('https://me:secret@example.org/x.git')).toMatchObject({
    status: 400,
    body: { error: 'import_url must not contain a user name or password' },
  });
  expect((await put('file:///etc/passwd')).body).toEqual({
    error: 'import_url is blocked: Only allowed schemes are http, https, ssh, git',
  });
  expect((await put('\u0001https://example.org/x.git')).status).toBe(400);
  expect(await forgelog.system.store.readStream(`project-${id}`)).toEqual(written);
});

test('deleting a namespace hides its projects at once, then deletes them', async () => {
  const group = await newGroup(50, { visibility: 'public' });
  const below = await createGroup(forgelog, { parent_id: group.id, visibility: 'public' });
  const inGroup = await newProject({ namespace_id: group.id, visibility: 'public' });
  const inBelow = await newProject({ namespace_id: below.id, visibility: 'public' });
  await forgelog.delete(`/groups/${group.id}`);
  for (const { id } of [inGroup, inBelow]) expect((await forgelog.get(`/projects/${id}`)).status).toBe(404);
  const listed = (await forgelog.get('/projects?per_page=100')).body.map(({ id }: { id: number }) => id);
  expect(listed).not.toContain(inBelow.id);
  const leaving = await createUser(forgelog);
  const personal = await newProject({ visibility: 'public' }, leaving.token);
  await forgelog.delete(`/users/${leaving.id}`);
  expect((await forgelog.get(`/projects/${personal.id}`)).status).toBe(404);
  await forgelog.system.projectors.policiesIdle();
  for (const { id } of [inGroup, inBelow, personal]) {
    const events = await forgelog.system.store.readStream(`project-${id}`);
    expect(events.at(-1)?.type).toBe('ProjectDeleted');
    expect(await hasRepository(id)).toBe(false);
  }
});

test('the free edition ignores and omits settings that it lacks', async () => {
  const free = await forgelogForTest({ environment: { EDITION: 'free' } });
  const { id } = (await free.post('/projects', { name: 'p' })).body;
  const { status, body } = await free.put(`/projects/${id}`, { approvals_before_merge: 3, mirror: true });
  expect(status).toBe(200);
  for (const name of ['approvals_before_merge', 'mirror', 'marked_for_deletion_on'])
    expect(body).not.toHaveProperty(name);
});

test('open issues are counted, confidential ones for Reporters only', async () => {
  const { id } = await newProject({ visibility: 'public' });
  const open = (attributes: object) => forgelog.post(`/projects/${id}/issues`, { title: 'x', ...attributes });
  const counts = async () => {
    const tokens = [forgelog.rootToken, ben.token];
    const replies = await Promise.all(tokens.map((token) => forgelog.get(`/projects/${id}`, { token })));
    return replies.map(({ body }) => body.open_issues_count);
  };
  expect(await counts()).toEqual([0, 0]);
  const { iid } = (await open({})).body;
  const hidden = (await open({ confidential: true })).body;
  expect(await counts()).toEqual([2, 1]);
  await forgelog.put(`/projects/${id}/issues/${iid}`, { state_event: 'close' });
  expect(await counts()).toEqual([1, 0]);
  await forgelog.put(`/projects/${id}/issues/${iid}`, { state_event: 'reopen' });
  await forgelog.put(`/projects/${id}/issues/${hidden.iid}`, { confidential: false });
  expect(await counts()).toEqual([2, 2]);
  await forgelog.delete(`/projects/${id}/issues/${iid}`);
  expect(await counts()).toEqual([1, 1]);
});

test('stars are counted once per user, and listed', async () => {
  const { id } = await newProject({ visibility: 'public' });
  const star = (token: string | null, what = 'star') =>
    forgelog.post(`/projects/${id}/${what}`, undefined, { token });
  expect(await star(ann.token)).toMatchObject({ status: 201, body: { star_count: 1 } });
  expect((await star(ann.token)).status).toBe(304);
  expect((await star(ben.token)).body.star_count).toBe(2);
  expect((await star(null)).status).toBe(401);
  const found = await forgelog.get('/projects?starred=true', { token: ben.token });
  expect(found.body.map((project: { id: number }) => project.id)).toEqual([id]);
  expect((await star(ben.token, 'unstar')).body.star_count).toBe(1);
  expect((await star(ben.token, 'unstar')).status).toBe(304);
  expect((await forgelog.get('/projects?starred=true', { token: ben.token })).body).toEqual([]);
  const fan = await createUser(forgelog);
  await star(fan.token);
  await forgelog.delete(`/users/${fan.id}`);
  expect((await forgelog.get(`/projects/${id}`)).body.star_count).toBe(1);
  const hidden = await newProject();
  expect((await forgelog.post(`/projects/${hidden.id}/star`, undefined, { token: ben.token })).status).toBe(
    404,
  );
});
