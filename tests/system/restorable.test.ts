import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { expect, onTestFinished, test } from 'vitest';
import { fillProject } from '../fixtures/all-fixtures.ts';
import { eventually } from '../support/eventually.ts';
import { createFixtures, type Person } from '../support/fixtures.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { makePipeline } from '../support/pipelines.ts';
import { registerRunner } from '../support/protocol-runner.ts';
import { expectRebuiltAlike } from '../support/rebuilt.ts';
import { addressOf, emptyFolder, tryGit } from '../support/stock-git.ts';

const DAY_MS = 86_400_000;
const environment = { DELETION_ADJOURNED_PERIOD: '7', REPOSITORY_HOUSEKEEPING: 'off' };
const MARKED = '403 Forbidden - The project is marked for deletion';

/** What tells of changes, for good. */
const HISTORY = ['audit_events', 'audit_users', 'audit_places', 'audit_ids'];

async function documentsOf({ system }: Forgelog): Promise<Record<string, unknown[]>> {
  await expect.poll(() => system.projectors.policiesIdle()).toBe(true);
  const collections = system.projections.flatMap((projection) => projection.collections);
  const shown = collections.filter(({ name }) => !HISTORY.includes(name));
  const found = shown.map(async (one) => [one.name, await system.ports.readStore.find(one, { limit: 1e5 })]);
  return Object.fromEntries(await Promise.all(found));
}

/** Contents by path of what is stored beside the log. */
async function filesBelow(...folder: string[]): Promise<Record<string, string>> {
  const entries = await readdir(join(...folder), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const contents = files.map(async (path) => [path, (await readFile(path)).toString('base64')]);
  return Object.fromEntries(await Promise.all(contents));
}

/** A project with one of everything. */
async function filled(forgelog: Forgelog, by: Person, more: object): Promise<{ id: number; at: string }> {
  const { id } = await must(forgelog.post('/projects', { name: 'app', visibility: 'public', ...more }, by));
  const at = `/projects/${id}`;
  const post = (path: string, body: object = {}) => must(forgelog.post(path, body, by));
  const content = { commit_message: 'First', content: 'text' };
  await post(`${at}/repository/files/README.md`, { ...content, branch: 'main' });
  await post(`${at}/repository/files/more.md`, { ...content, branch: 'other', start_branch: 'main' });
  await post(`${at}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  const form = new FormData();
  form.set('file', new File(['notes'], 'notes.txt'));
  await must(forgelog.call('POST', `${at}/uploads`, { body: form, token: by.token }));
  await fillProject(at, { post, put: (path, body) => must(forgelog.put(path, body, by)) });
  await post(`${at}/issues`, { title: 'Stays' });
  await post(`${at}/merge_requests`, { source_branch: 'other', target_branch: 'main', title: 'Waits' });
  await makePipeline(forgelog, id);
  return { id, at };
}

async function team(forgelog: Forgelog) {
  const make = createFixtures(forgelog);
  const owner = await make.person('owner');
  const people = {
    guest: await make.person('guest'),
    developer: await make.person('developer'),
    maintainer: await make.person('maintainer'),
  };
  const outsider = await make.person('outsider');
  const group = await must(
    forgelog.post('/groups', { name: 'team', path: 'team', visibility: 'public' }, owner),
  );
  const levels = { guest: 10, developer: 30, maintainer: 40 } as const;
  for (const [name, { id: user_id }] of Object.entries(people)) {
    const access_level = levels[name as keyof typeof levels];
    await must(forgelog.post(`/groups/${group.id}/members`, { user_id, access_level }, owner));
  }
  const hidden = [...Object.values(people), outsider, { token: null }];
  return { owner, hidden, groupId: group.id as number };
}

test('a marked project is there for its owners alone, who cannot change it, and is restored byte for byte', async () => {
  const forgelog = await forgelogForTest({ environment });
  const { owner, hidden, groupId } = await team(forgelog);
  const { id, at } = await filled(forgelog, owner, { namespace_id: groupId });
  const target = await must(forgelog.post('/groups', { name: 'target', path: 'target' }, owner));
  const reads = [
    '',
    '/issues',
    '/merge_requests',
    '/repository/files/README.md?ref=main',
    '/members',
    '/pipelines',
  ];
  const writes: [method: string, path: string, json?: object][] = [
    ['PUT', '', { description: 'changed' }],
    ['PUT', '', { name: 'renamed', path: 'renamed' }],
    ['PUT', '/transfer', { namespace: `${target.id}` }],
    ['POST', '/share', { group_id: target.id, group_access: 30 }],
    ['POST', '/archive'],
    ['POST', '/star'],
    ['POST', '/fork', { path: 'forked' }],
    ['POST', '/issues', { title: 'New' }],
    ['POST', '/issues/1/notes', { body: 'New' }],
    ['PUT', '/merge_requests/1/merge'],
    ['POST', '/members', { user_id: owner.id, access_level: 30 }],
    ['POST', '/pipeline', { ref: 'main' }],
    ['POST', '/repository/branches', { branch: 'new', ref: 'main' }],
    ['DELETE', '/repository/tags/v1'],
  ];
  const documents = await documentsOf(forgelog);
  const stored = [
    await filesBelow(forgelog.dataDir, 'objects'),
    await filesBelow(forgelog.dataDir, 'repositories', repositoryPath(id)),
  ];
  const answers = async () =>
    Promise.all(reads.map(async (path) => (await forgelog.get(at + path, owner)).text));
  const before = await answers();
  const lists = [
    '/projects',
    `/groups/${groupId}/projects`,
    '/issues?scope=all',
    '/merge_requests?scope=all',
  ];
  const found = async (path: string, as: { token: string | null }) => {
    const { body } = await forgelog.get(path, as);
    return Array.isArray(body) && body.some((one) => one.id === id || one.project_id === id);
  };
  expect(await found('/projects', { token: null })).toBe(true);

  expect((await forgelog.delete(at, owner)).status).toBe(202);
  for (const as of hidden) {
    for (const path of reads)
      expect(as.token === null ? [401, 404] : [404], path).toContain(
        (await forgelog.get(at + path, as)).status,
      );
    for (const path of lists) expect(await found(path, as), path).toBe(false);
    for (const [method, path, json] of writes)
      expect([401, 404], `${method} ${path}`).toContain(
        (await forgelog.call(method, at + path, { ...as, json })).status,
      );
    expect([401, 404]).toContain((await forgelog.post(`${at}/restore`, {}, as)).status);
  }
  for (const as of [owner, {}]) {
    for (const path of reads) expect((await forgelog.get(at + path, as)).status, path).toBe(200);
    const shown = await must(forgelog.get(at, as));
    expect(shown.marked_for_deletion_on).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(shown.marked_for_deletion_at).toBe(shown.marked_for_deletion_on);
    for (const [method, path, json] of writes) {
      const reply = await forgelog.call(method, at + path, { ...as, json });
      expect([reply.status, reply.body.message], `${method} ${path}`).toEqual([403, MARKED]);
    }
  }
  expect(await found('/projects', owner)).toBe(true);
  expect(await found('/issues?scope=all', owner)).toBe(false);
  // The name is not free.
  const taken = await forgelog.post('/projects', { name: 'app', namespace_id: groupId }, owner);
  expect(taken.status).toBe(400);
  // Nor may anybody push; whoever owns it clones it.
  const folder = await emptyFolder();
  const address = addressOf(forgelog, 'team/app', { name: 'x', secret: owner.token });
  expect((await tryGit(folder, 'clone', '-q', address, '.')).code).toBe(0);
  const pushed = await tryGit(folder, 'push', 'origin', 'HEAD:refs/heads/new');
  expect(pushed.code).not.toBe(0);
  expect(pushed.stderr).toContain('marked for deletion');
  const other = addressOf(forgelog, 'team/app', { name: 'x', secret: (hidden[1] as Person).token });
  expect((await tryGit(folder, 'ls-remote', other)).stderr).toContain('not found');

  // Deleting again does not put it off.
  expect((await forgelog.delete(at, owner)).status).toBe(202);
  const marks = await forgelog.system.store.readStream(`project-${id}`);
  expect(marks.filter(({ type }) => type === 'ProjectDeletionScheduled')).toHaveLength(1);

  const restored = await forgelog.post(`${at}/restore`, {}, owner);
  expect([restored.status, restored.body.marked_for_deletion_on]).toEqual([201, null]);
  expect(await answers()).toEqual(before);
  expect(await documentsOf(forgelog)).toEqual(documents);
  expect([
    await filesBelow(forgelog.dataDir, 'objects'),
    await filesBelow(forgelog.dataDir, 'repositories', repositoryPath(id)),
  ]).toEqual(stored);
  expect((await forgelog.get(at, { token: null })).status).toBe(200);
  const again = await forgelog.post(`${at}/restore`, {}, owner);
  expect([again.status, again.body.message]).toEqual([400, 'Project has not been marked for deletion']);
  expect((await forgelog.put(at, { description: 'changed' }, owner)).status).toBe(200);
  await expectRebuiltAlike(forgelog);
});

test('a marked group takes along what is in it, and its restoration leaves what was marked by itself', async () => {
  const forgelog = await forgelogForTest({ environment });
  const { owner, hidden, groupId } = await team(forgelog);
  const sub = await must(
    forgelog.post('/groups', { name: 'sub', path: 'sub', parent_id: groupId, visibility: 'public' }, owner),
  );
  const projectIn = async (name: string, namespace_id?: number): Promise<string> =>
    `/projects/${(await must(forgelog.post('/projects', { name, namespace_id, visibility: 'public' }, owner))).id}`;
  const stays = await projectIn('stays', sub.id);
  const goes = await projectIn('goes', groupId);
  const other = await projectIn('other');
  const group = `/groups/${groupId}`;
  const third = await must(forgelog.post('/groups', { name: 'third', path: 'third' }, owner));
  await must(forgelog.delete(goes, owner));
  await must(forgelog.delete(group, owner));

  for (const path of [group, `/groups/${sub.id}`, stays, goes]) {
    for (const as of hidden) expect((await forgelog.get(path, as)).status, path).toBe(404);
    expect((await forgelog.get(path, owner)).status, path).toBe(200);
  }
  for (const as of hidden) {
    const listed = await must(forgelog.get('/groups?all_available=true', as));
    expect(listed.map(({ id }: { id: number }) => id)).not.toContain(groupId);
  }
  expect((await must(forgelog.get('/groups', owner))).map(({ id }: { id: number }) => id)).toContain(groupId);
  expect((await must(forgelog.get(group, owner))).marked_for_deletion_on).toMatch(/^\d{4}-\d\d-\d\d$/);
  const refused: [method: string, path: string, json: object, status: number][] = [
    ['PUT', group, { name: 'renamed', path: 'renamed' }, 403],
    ['POST', `${group}/members`, { user_id: owner.id, access_level: 30 }, 403],
    ['PUT', `/groups/${sub.id}`, { description: 'changed' }, 403],
    ['PUT', stays, { description: 'changed' }, 403],
    ['POST', '/groups', { name: 'new', path: 'new', parent_id: groupId }, 403],
    ['POST', '/projects', { name: 'new', namespace_id: groupId }, 400],
    ['PUT', `${other}/transfer`, { namespace: `${groupId}` }, 400],
    ['POST', `${other}/share`, { group_id: groupId, group_access: 30 }, 400],
    ['POST', `/groups/${third.id}/share`, { group_id: groupId, group_access: 30 }, 400],
    ['POST', `${group}/share`, { group_id: third.id, group_access: 30 }, 403],
    ['POST', `${stays}/restore`, {}, 400],
    ['POST', `${goes}/restore`, {}, 400],
    ['POST', `/groups/${sub.id}/restore`, {}, 400],
  ];
  for (const [method, path, json, status] of refused) {
    const reply = await forgelog.call(method, path, { ...owner, json });
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(status);
  }

  expect((await forgelog.post(`${group}/restore`, {}, owner)).status).toBe(201);
  expect((await forgelog.get(stays, { token: null })).status).toBe(200);
  expect((await forgelog.put(stays, { description: 'changed' }, owner)).status).toBe(200);
  expect((await forgelog.get(goes, { token: null })).status).toBe(404);
  expect((await forgelog.post(`${goes}/restore`, {}, owner)).status).toBe(201);
  expect((await forgelog.post(`${group}/restore`, {}, owner)).body.message).toBe(
    'Group has not been marked for deletion',
  );
  await expectRebuiltAlike(forgelog);
});

test('what is marked is deleted for good by its full path', async () => {
  const forgelog = await forgelogForTest({ environment });
  const { owner, groupId } = await team(forgelog);
  const { id } = await must(forgelog.post('/projects', { name: 'app', namespace_id: groupId }, owner));
  for (const [at, path] of [
    [`/projects/${id}`, 'team/app'],
    [`/groups/${groupId}`, 'team'],
  ]) {
    const forGood = (full_path?: string) =>
      forgelog.call('DELETE', at!, { ...owner, json: { permanently_remove: true, full_path } });
    expect(await forGood(path)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('must be marked for deletion first') },
    });
    await must(forgelog.delete(at!, owner));
    for (const wrong of [undefined, 'app', 'team/other'])
      expect(await forGood(wrong)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('`full_path` is incorrect') },
      });
    expect((await forGood(path)).status).toBe(202);
    expect((await forgelog.get(at!)).status).toBe(404);
  }
});

test('what is marked is deleted after its days, at once where the server was down, and not what was restored', async () => {
  let now = Date.now();
  const folder = await emptyFolder();
  const start = () => startForgelog({ environment, dataDir: folder, clock: () => new Date(now) });
  let forgelog = await start();
  onTestFinished(() => forgelog.stop());
  const { owner, groupId } = await team(forgelog);
  const own = await filled(forgelog, owner, { name: 'own' });
  const inGroup = await filled(forgelog, owner, { namespace_id: groupId });
  const many: string[] = [];
  for (let at = 0; at < 20; at++)
    many.push(`/projects/${(await must(forgelog.post('/projects', { name: `many${at}` }, owner))).id}`);
  const [restored = '', ...due] = many;
  for (const path of [own.at, `/groups/${groupId}`, ...many]) await must(forgelog.delete(path, owner));
  await must(forgelog.post(`${restored}/restore`, {}, owner));
  now += 7 * DAY_MS - 3_600_000;
  // A day has begun, so that the sweep was here; an hour is left.
  await must(forgelog.delete(restored, owner));
  expect((await forgelog.get(own.at, owner)).status).toBe(200);
  await must(forgelog.post(`${restored}/restore`, {}, owner));
  await forgelog.stop();

  now += 2 * 3_600_000;
  forgelog = await start();
  for (const path of [own.at, inGroup.at, `/groups/${groupId}`, ...due])
    await expect.poll(async () => (await forgelog.get(path)).status).toBe(404);
  expect((await forgelog.get(restored)).status).toBe(200);
  await expect.poll(() => forgelog.system.projectors.policiesIdle()).toBe(true);
  for (const { id } of [own, inGroup])
    await expect
      .poll(() => readdir(join(folder, 'repositories', repositoryPath(id))).catch(() => 'gone'))
      .toBe('gone');
  await expect.poll(async () => Object.keys(await filesBelow(folder, 'objects'))).toEqual([]);
  const events = await forgelog.system.store.readAll({ after: '', limit: 100_000 });
  const ended = events.filter(({ type }) => type === 'ProjectDeleted' || type === 'GroupDeleted');
  expect(ended.map(({ stream }) => stream).toSorted()).toEqual(
    [own.at, inGroup.at, ...due, `/groups/${groupId}`]
      .map((path) => path.slice(1).replace('s/', '-'))
      .toSorted(),
  );
  expect(ended.every(({ metadata }) => metadata.actorId === null)).toBe(true);
  // The names are free.
  await must(forgelog.post('/projects', { name: 'own' }, owner));
  await must(forgelog.post('/groups', { name: 'team', path: 'team' }, owner));
});

test('without a setting, deletion is at once and nothing can be restored', async () => {
  const forgelog = await forgelogForTest();
  const { id } = await must(forgelog.post('/projects', { name: 'app' }));
  expect((await forgelog.delete(`/projects/${id}`)).status).toBe(202);
  expect((await forgelog.get(`/projects/${id}`)).status).toBe(404);
  expect((await forgelog.post(`/projects/${id}/restore`)).status).toBe(404);
});

test('nothing runs in a marked project, and all goes on after its restoration', async () => {
  let now = Date.now();
  const forgelog = await forgelogForTest({ environment, clock: () => new Date(now) });
  const { owner, groupId } = await team(forgelog);
  const content = 'job: {script: make}';
  const made = await must(forgelog.post('/projects', { name: 'built', namespace_id: groupId }, owner));
  const other = await must(forgelog.post('/projects', { name: 'other', namespace_id: groupId }, owner));
  const at = `/projects/${made.id}`;
  const post = (path: string, body: object) => must(forgelog.post(path, body, owner));
  const file = `${at}/repository/files/.gitlab-ci.yml`;
  await post(file, { branch: 'main', commit_message: 'Configure', content });
  const pending = () => must(forgelog.get(`${at}/jobs?scope[]=pending`, owner));
  await eventually('the job waits', pending, { until: ({ length }) => length === 1 });
  const runner = await registerRunner(forgelog, made.runners_token);
  const schedule = { description: 'Nightly', ref: 'main', cron: '0 0 * * *' };
  const nightly = await post(`${at}/pipeline_schedules`, schedule);
  const { token } = await post(`${at}/triggers`, { description: 'By others' });
  const { iid } = await post(`${at}/issues`, { title: 'Stays open' });
  // A merge elsewhere closes it, if it can be changed.
  const elsewhere = `/projects/${other.id}`;
  const commit = { commit_message: 'Add', content: 'text' };
  await post(`${elsewhere}/repository/files/a`, { ...commit, branch: 'main' });
  await post(`${elsewhere}/repository/files/b`, { ...commit, branch: 'b', start_branch: 'main' });
  const merge = await post(`${elsewhere}/merge_requests`, {
    ...{ source_branch: 'b', target_branch: 'main', title: 'Merge', description: `Closes team/built#${iid}` },
  });
  const pipelines = async () => (await must(forgelog.get(`${at}/pipelines`, owner))).length;
  expect(await pipelines()).toBe(1);

  const mark = (place: string) => must(forgelog.delete(place, owner));
  const anonymous = { token: null };
  const triggered = async () =>
    (await forgelog.post(`${at}/trigger/pipeline`, { token, ref: 'main' }, anonymous)).status;
  for (const place of [at, `/groups/${groupId}`]) {
    await mark(place);
    expect(await runner.request()).toBeUndefined();
    expect((await forgelog.post('/runners', { token: made.runners_token }, anonymous)).status).toBe(403);
    expect(await triggered()).toBe(400);
    await post(`${place}/restore`, {});
    const job = await eventually('the runner gets the job', () => runner.request());
    expect((await runner.update(job!, { state: 'success' })).status).toBe(200);
    expect(await triggered()).toBe(201);
    await eventually('the next job waits', pending, { until: ({ length }) => length === 1 });
  }

  await mark(at);
  const before = await pipelines();
  const url = `${elsewhere}/merge_requests/${merge.iid}/merge`;
  await eventually('the merge is done', () => forgelog.put(url, {}, owner), {
    until: ({ status }) => status === 200,
  });
  // A day begins, so the sweep of schedules finds it due.
  now += DAY_MS;
  const planned = () => must(forgelog.get(`${at}/pipeline_schedules/${nightly.id}`, owner));
  await eventually('the schedule was due', planned, {
    until: ({ next_run_at }) => Date.parse(next_run_at) > now,
  });
  await expect.poll(() => forgelog.system.projectors.policiesIdle()).toBe(true);
  expect(await pipelines()).toBe(before);
  expect((await must(forgelog.get(`${at}/issues/${iid}`, owner))).state).toBe('opened');
});
