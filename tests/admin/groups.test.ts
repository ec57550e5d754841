import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGroup, createUser, type TestGroup, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let owner: TestUser;
let outsider: TestUser;
let external: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  owner = await createUser(forgelog, { username: 'owner' });
  outsider = await createUser(forgelog, { username: 'outsider' });
  external = await createUser(forgelog, { username: 'external', external: true });
});
afterAll(() => forgelog.stop());

/** Adds to a stream what the commands of members and projects would. */
async function append(stream: string, event: DomainEvent): Promise<void> {
  const { store, ports } = forgelog.system;
  const revision = (await store.readStream(stream)).length - 1;
  await ports.commands.append(stream, revision < 0 ? 'no-stream' : revision, [event], SYSTEM_METADATA);
}

const addMember = (groupId: number, userId: number, accessLevel: number, expiresAt: string | null = null) =>
  append(`group-${groupId}`, {
    type: 'GroupMemberAdded',
    data: { groupId, userId, accessLevel, expiresAt },
  });

const addProject = (projectId: number, group: TestGroup, visibility: string) =>
  append(`project-${projectId}`, {
    type: 'ProjectCreated',
    data: {
      projectId,
      namespaceId: group.id,
      ownerId: null,
      creatorId: 1,
      name: `p${projectId}`,
      path: `p${projectId}`,
      fullPath: `${group.fullPath}/p${projectId}`,
      description: null,
      visibility,
      defaultBranch: null,
      settings: {},
    },
  });

async function paths(path: string, token?: string | null): Promise<string[]> {
  const { status, body, text } = await forgelog.get(path, { token });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return body.map(({ full_path }: { full_path: string }) => full_path);
}

describe('one group', () => {
  test('is created with its defaults and owned by its creator', async () => {
    const { status, body } = await forgelog.post(
      '/groups',
      { name: 'My Team', path: 'my-team' },
      { token: owner.token },
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'My Team',
      path: 'my-team',
      full_name: 'My Team',
      full_path: 'my-team',
      web_url: `${forgelog.url}/groups/my-team`,
      description: '',
      visibility: 'private',
      parent_id: null,
      two_factor_grace_period: 48,
      project_creation_level: 'developer',
      subgroup_creation_level: 'maintainer',
      default_branch_protection: 2,
      auto_devops_enabled: null,
      projects: [],
      shared_projects: [],
      shared_with_groups: [],
    });
    expect(await forgelog.system.ports.directory.groupLevel(owner.id, body.id)).toBe(50);
    for (const id of [body.id, 'my-team', 'MY-TEAM'])
      expect((await forgelog.get(`/groups/${id}`, { token: owner.token })).body).toEqual(body);
    expect(body.runners_token).toMatch(/^GR1348941g\d+-/);
    const bare = await forgelog.get(`/groups/${body.id}?with_projects=false`);
    expect(bare.body).not.toHaveProperty('projects');
    expect(bare.body).not.toHaveProperty('shared_projects');
  });

  test('keeps what it is given', async () => {
    const given = {
      description: 'd',
      visibility: 'internal',
      share_with_group_lock: true,
      require_two_factor_authentication: true,
      two_factor_grace_period: 3,
      project_creation_level: 'noone',
      auto_devops_enabled: false,
      subgroup_creation_level: 'owner',
      emails_disabled: true,
      mentions_disabled: false,
      lfs_enabled: false,
      request_access_enabled: false,
      default_branch_protection: 0,
    };
    const { body } = await forgelog.post('/groups', { name: 'full', path: 'full', ...given });
    expect(body).toMatchObject(given);
  });

  test('is refused in words that clients know', async () => {
    await createGroup(forgelog, { path: 'once' });
    const taken = { message: 'Failed to save group {:path=>["has already been taken"]}' };
    expect(await forgelog.post('/groups', { name: 'x', path: 'ONCE' })).toMatchObject({
      status: 400,
      body: taken,
    });
    // Users and groups share one space of names.
    expect((await forgelog.post('/groups', { name: 'x', path: 'owner' })).body).toEqual(taken);
    expect(
      (await forgelog.post('/users', { username: 'once', name: 'x', email: 'o@x.org', reset_password: true }))
        .body,
    ).toEqual({ message: 'Username has already been taken' });
    expect((await forgelog.post('/groups', {})).body).toEqual({ error: 'name is missing, path is missing' });
    expect((await forgelog.post('/groups', { name: 'x', path: 'admin' })).body).toEqual({
      message: 'Failed to save group {:path=>["admin is a reserved name"]}',
    });
    expect((await forgelog.post('/groups', { name: 'x', path: 'y', visibility: 'secret' })).body).toEqual({
      error: 'visibility does not have a valid value',
    });
    expect((await forgelog.post('/groups', { name: 'x', path: 'y' }, { token: null })).status).toBe(401);
  });

  test('of many at the same time one gets the path', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 6 }, () => forgelog.post('/groups', { name: 'r', path: 'raced' })),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
  });

  test('needs an account that may make groups', async () => {
    const refused = await forgelog.post('/groups', { name: 'x', path: 'y' }, { token: external.token });
    expect(refused).toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
  });

  test('that is private does not exist for others', async () => {
    const { id } = await createGroup(forgelog, { token: owner.token });
    for (const token of [null, outsider.token]) {
      for (const path of ['', '/subgroups', '/descendant_groups', '/projects', '/projects/shared']) {
        expect(await forgelog.get(`/groups/${id}${path}`, { token })).toMatchObject({
          status: 404,
          body: { message: '404 Group Not Found' },
        });
      }
    }
    expect((await forgelog.put(`/groups/${id}`, { name: 'x' }, { token: outsider.token })).status).toBe(404);
    expect((await forgelog.delete(`/groups/${id}`, { token: outsider.token })).status).toBe(404);
  });

  test('refuses an avatar, and takes its removal', async () => {
    const { id } = await createGroup(forgelog);
    const form = new FormData();
    form.set('avatar', new Blob(['x']), 'a.png');
    expect((await forgelog.call('PUT', `/groups/${id}`, { body: form })).status).toBe(400);
    expect((await forgelog.put(`/groups/${id}`, { avatar: '' })).status).toBe(200);
  });
});

describe('subgroups', () => {
  test('need the level that the parent asks for', async () => {
    const parent = await createGroup(forgelog, { token: owner.token, visibility: 'public' });
    const strict = await createGroup(forgelog, { token: owner.token, subgroup_creation_level: 'owner' });
    const maintainer = await createUser(forgelog);
    const developer = await createUser(forgelog);
    for (const { id } of [parent, strict]) {
      await addMember(id, maintainer.id, 40);
      await addMember(id, developer.id, 30);
    }
    let attempts = 0;
    const attempt = async (group: TestGroup, { token }: TestUser) =>
      (await forgelog.post('/groups', { name: 's', path: `s${++attempts}`, parent_id: group.id }, { token }))
        .status;
    expect(await attempt(parent, maintainer)).toBe(201);
    expect(await attempt(parent, developer)).toBe(403);
    expect(await attempt(parent, outsider)).toBe(403);
    expect(await attempt(strict, owner)).toBe(201);
    expect(await attempt(strict, maintainer)).toBe(403);
    expect(await attempt(strict, outsider)).toBe(404);
  });

  test('have a path below the parent, which is theirs alone there', async () => {
    const parent = await createGroup(forgelog, { path: 'above', visibility: 'internal' });
    const child = await createGroup(forgelog, { path: 'api', parent_id: parent.id });
    expect(child.fullPath).toBe('above/api');
    expect((await forgelog.get('/groups/above%2Fapi')).body).toMatchObject({
      full_name: 'above / api',
      parent_id: parent.id,
      web_url: `${forgelog.url}/groups/above/api`,
    });
    expect((await forgelog.post('/groups', { name: 'x', path: 'api', parent_id: parent.id })).status).toBe(
      400,
    );
    const other = await createGroup(forgelog);
    await createGroup(forgelog, { path: 'api', parent_id: other.id });
    expect((await forgelog.post('/groups', { name: 'x', path: 'y', parent_id: 4711 })).body).toEqual({
      message: '404 Group Not Found',
    });
  });

  test('are not more open than their parent, before and after', async () => {
    const parent = await createGroup(forgelog, { visibility: 'internal' });
    const wider = { name: 'x', path: 'x', parent_id: parent.id, visibility: 'public' };
    expect((await forgelog.post('/groups', wider)).body.message).toContain(
      'public is not allowed since the parent group has a internal visibility.',
    );
    const child = await createGroup(forgelog, { parent_id: parent.id, visibility: 'internal' });
    expect((await forgelog.put(`/groups/${child.id}`, { visibility: 'public' })).status).toBe(400);
    expect((await forgelog.put(`/groups/${parent.id}`, { visibility: 'private' })).body).toEqual({
      message: {
        visibility_level: ['private is not allowed since there are sub-groups with higher visibility.'],
      },
    });
    await forgelog.put(`/groups/${child.id}`, { visibility: 'private' });
    expect((await forgelog.put(`/groups/${parent.id}`, { visibility: 'private' })).status).toBe(200);
    await addProject(900, await createGroup(forgelog, { path: 'open', visibility: 'public' }), 'public');
    expect((await forgelog.put('/groups/open', { visibility: 'internal' })).body).toEqual({
      message: {
        visibility_level: [
          'internal is not allowed since this group contains projects with higher visibility.',
        ],
      },
    });
  });
});

describe('update and delete', () => {
  test('are for owners', async () => {
    const group = await createGroup(forgelog, { token: owner.token, visibility: 'public' });
    const maintainer = await createUser(forgelog);
    await addMember(group.id, maintainer.id, 40);
    for (const { token } of [maintainer, outsider]) {
      expect((await forgelog.put(`/groups/${group.id}`, { name: 'x' }, { token })).status).toBe(403);
      expect((await forgelog.delete(`/groups/${group.id}`, { token })).status).toBe(403);
    }
    expect((await forgelog.put(`/groups/${group.id}`, { name: 'x' }, { token: null })).status).toBe(401);
    const { status, body } = await forgelog.put(
      `/groups/${group.id}`,
      { name: 'Renamed', description: 'new', shared_runners_setting: 'disabled_with_override' },
      { token: owner.token },
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Renamed',
      full_name: 'Renamed',
      description: 'new',
      path: group.path,
      shared_runners_setting: 'disabled_with_override',
    });
  });

  test('a new path moves everything below and frees the old one', async () => {
    const group = await createGroup(forgelog, { path: 'moves' });
    const child = await createGroup(forgelog, { path: 'child', parent_id: group.id });
    await createGroup(forgelog, { path: 'sits' });
    expect((await forgelog.put(`/groups/${group.id}`, { path: 'sits' })).body).toEqual({
      message: { path: ['has already been taken'] },
    });
    expect((await forgelog.put(`/groups/${group.id}`, { path: 'a/b' })).status).toBe(400);
    expect((await forgelog.put(`/groups/${group.id}`, { path: 'moved' })).body.full_path).toBe('moved');
    expect((await forgelog.get(`/groups/${child.id}`)).body.full_path).toBe('moved/child');
    expect((await forgelog.get('/groups/moves')).status).toBe(404);
    await createGroup(forgelog, { path: 'moves' });
    expect((await forgelog.put(`/groups/${group.id}`, { path: 'MOVED' })).body.full_path).toBe('MOVED');
  });

  test('a deleted group is gone with all below it, and its path is free', async () => {
    const group = await createGroup(forgelog, { path: 'doomed', token: owner.token });
    const child = await createGroup(forgelog, { path: 'c', parent_id: group.id });
    const grandchild = await createGroup(forgelog, { path: 'g', parent_id: child.id });
    const { status, body } = await forgelog.delete(`/groups/${group.id}`, { token: owner.token });
    expect({ status, body }).toEqual({ status: 202, body: { message: '202 Accepted' } });
    for (const { id } of [group, child, grandchild])
      expect((await forgelog.get(`/groups/${id}`)).status).toBe(404);
    expect((await paths('/groups?per_page=100')).filter((path) => path.startsWith('doomed'))).toEqual([]);
    expect((await createGroup(forgelog, { path: 'doomed' })).id).not.toBe(group.id);
    expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
    const last = async ({ id }: TestGroup) => (await forgelog.system.store.readStream(`group-${id}`)).at(-1)!;
    expect(await last(child)).toMatchObject({ type: 'GroupDeleted', data: { fullPath: 'doomed/c' } });
    expect(await last(grandchild)).toMatchObject({ type: 'GroupDeleted', metadata: { actorId: owner.id } });
  });

  test('deleting many at once, one below the other, ends with all gone', async () => {
    const group = await createGroup(forgelog);
    const child = await createGroup(forgelog, { parent_id: group.id });
    const statuses = await Promise.all(
      [group, child, group].map(({ id }) => forgelog.delete(`/groups/${id}`).then(({ status }) => status)),
    );
    expect(statuses.every((status) => status === 202 || status === 404)).toBe(true);
    expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
    for (const { id } of [group, child]) {
      const events = await forgelog.system.store.readStream(`group-${id}`);
      expect(events.filter(({ type }) => type === 'GroupDeleted')).toHaveLength(1);
    }
  });
});

describe('deleting users', () => {
  const removed = async (groupId: number) =>
    (await forgelog.system.store.readStream(`group-${groupId}`)).at(-1)!;

  test('who alone own a group stay, unless they are deleted hard: then the group goes too', async () => {
    const alone = await createUser(forgelog);
    const group = await createGroup(forgelog, { token: alone.token });
    expect(await forgelog.delete(`/users/${alone.id}`)).toMatchObject({
      status: 409,
      body: { message: 'User cannot be removed while is the sole-owner of a group' },
    });
    expect((await forgelog.get('/user', { token: alone.token })).status).toBe(200);
    expect((await forgelog.delete(`/users/${alone.id}?hard_delete=true`)).status).toBe(204);
    expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
    expect((await forgelog.get(`/groups/${group.id}`)).status).toBe(404);
  });

  test('who own it with others, or below others, leave it', async () => {
    const [first, second] = [await createUser(forgelog), await createUser(forgelog)];
    const group = await createGroup(forgelog, { token: first.token });
    const child = await createGroup(forgelog, { token: first.token, parent_id: group.id });
    await addMember(group.id, second.id, 50);
    expect((await forgelog.delete(`/users/${first.id}`)).status).toBe(204);
    expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
    for (const { id } of [group, child]) {
      expect(await removed(id)).toMatchObject({
        type: 'GroupMemberRemoved',
        data: { userId: first.id, reason: 'deleted' },
      });
    }
    // An owner whose time is over is none.
    await addMember(group.id, outsider.id, 50, '2001-01-01');
    expect((await forgelog.delete(`/users/${second.id}`)).status).toBe(409);
  });
});

describe('list', () => {
  let own: TestGroup;
  let reader: TestUser;
  beforeAll(async () => {
    reader = await createUser(forgelog, { username: 'reader' });
    const all = { token: owner.token };
    own = await createGroup(forgelog, { path: 'l-own', token: reader.token });
    const privat = await createGroup(forgelog, { path: 'l-private', ...all });
    await createGroup(forgelog, { path: 'l-internal', visibility: 'internal', ...all });
    const open = await createGroup(forgelog, {
      path: 'l-public',
      visibility: 'public',
      name: 'Zebra',
      ...all,
    });
    const inner = await createGroup(forgelog, { path: 'l-inner', parent_id: privat.id, ...all });
    await createGroup(forgelog, { path: 'l-deep', parent_id: inner.id, ...all });
    await createGroup(forgelog, { path: 'l-secret', parent_id: open.id, name: 'Secret', ...all });
    await createGroup(forgelog, { path: 'l-shown', parent_id: open.id, visibility: 'public', ...all });
    await createGroup(forgelog, { path: 'l-sub', parent_id: own.id, token: reader.token });
    await addMember(inner.id, reader.id, 20);
  });
  const listed = (query: string, token?: string | null) => paths(`/groups?search=l-&${query}`, token);
  const MINE = ['l-own', 'l-own/l-sub', 'l-private', 'l-private/l-inner', 'l-private/l-inner/l-deep'];

  test('shows anonymous callers public groups alone', async () => {
    expect((await listed('', null)).sort()).toEqual(['l-public', 'l-public/l-shown']);
    expect((await listed('all_available=true', null)).sort()).toEqual(['l-public', 'l-public/l-shown']);
    expect(await listed('owned=true', null)).toEqual([]);
    expect(await listed('min_access_level=10', null)).toEqual([]);
  });

  test('shows users their own, what leads to them and what lies below; all only on demand', async () => {
    expect((await listed('', reader.token)).sort()).toEqual(MINE);
    const all = [...MINE, 'l-internal', 'l-public', 'l-public/l-shown'].sort();
    expect((await listed('all_available=true', reader.token)).sort()).toEqual(all);
    expect((await listed('all_available=true', external.token)).sort()).toEqual([
      'l-public',
      'l-public/l-shown',
    ]);
    expect(await listed('', outsider.token)).toEqual([]);
  });

  test('shows administrators all, unless they say otherwise', async () => {
    expect(await listed('')).toHaveLength(9);
    expect(await listed('all_available=false')).toEqual([]);
  });

  test('owned and min_access_level come before all_available', async () => {
    expect((await listed('owned=true&all_available=true', reader.token)).sort()).toEqual([
      'l-own',
      'l-own/l-sub',
    ]);
    expect((await listed('min_access_level=20&all_available=true', reader.token)).sort()).toEqual(
      MINE.filter((path) => path !== 'l-private'),
    );
    expect((await listed('min_access_level=30', reader.token)).sort()).toEqual(['l-own', 'l-own/l-sub']);
    expect((await forgelog.get('/groups?min_access_level=7')).status).toBe(400);
  });

  test('is searched by name and path, ordered, skipped and cut to the top', async () => {
    expect(await paths('/groups?search=zEb')).toEqual(['l-public']);
    expect((await listed('order_by=path', reader.token)).map((path) => path.split('/').at(-1))).toEqual(
      MINE.map((path) => path.split('/').at(-1)!).sort(),
    );
    const byId = await listed('order_by=id&sort=desc');
    expect(byId[0]).toBe('l-own/l-sub');
    expect((await listed('order_by=name&sort=desc'))[0]).toBe('l-public');
    expect(await listed(`skip_groups[]=${own.id}`, reader.token)).toEqual(
      MINE.slice(1).sort((a, b) => a.split('/').at(-1)!.localeCompare(b.split('/').at(-1)!)),
    );
    expect((await listed('top_level_only=true', reader.token)).sort()).toEqual(['l-own', 'l-private']);
    expect((await paths('/groups?search=l-in&order_by=similarity&sort=desc'))[0]).toBe('l-private/l-inner');
    expect(await paths('/groups?order_by=similarity&per_page=100')).toEqual(
      await paths('/groups?per_page=100'),
    );
  });

  test('statistics and custom attributes are for administrators who ask', async () => {
    const wish = `/groups/${own.id}?with_custom_attributes=true`;
    expect((await forgelog.get(wish)).body.custom_attributes).toEqual([]);
    expect((await forgelog.get(wish, { token: reader.token })).body).not.toHaveProperty('custom_attributes');
    const one = async (query: string, token?: string) =>
      (await forgelog.get(`/groups?search=l-own&${query}`, { token })).body[0];
    expect((await one('statistics=true')).statistics).toMatchObject({ storage_size: 0, wiki_size: 0 });
    await addProject(901, own, 'private');
    await append('repositoryStatistics-901', {
      type: 'RepositoryMeasured',
      data: { projectId: 901, repositorySize: 4096, commitCount: 1, readmePath: null },
    });
    const measured = { storage_size: 4096, repository_size: 4096, packages_size: 0 };
    expect((await one('statistics=true')).statistics).toMatchObject(measured);
    expect(await one('statistics=true', reader.token)).not.toHaveProperty('statistics');
    expect(await one('')).not.toHaveProperty('statistics');
    expect(await listed('custom_attributes[a]=b')).toEqual([]);
    expect((await listed('custom_attributes[a]=b', reader.token)).sort()).toEqual(MINE);
  });

  test('subgroups are direct, descendants of every depth; both search paths alone', async () => {
    expect(await paths('/groups/l-private/subgroups')).toEqual(['l-private/l-inner']);
    expect(await paths('/groups/l-private/descendant_groups?order_by=id')).toEqual([
      'l-private/l-inner',
      'l-private/l-inner/l-deep',
    ]);
    expect((await paths('/groups/l-public/subgroups')).sort()).toEqual([
      'l-public/l-secret',
      'l-public/l-shown',
    ]);
    expect(await paths('/groups/l-public/subgroups', null)).toEqual(['l-public/l-shown']);
    expect(await paths('/groups/l-public/subgroups?all_available=true', reader.token)).toEqual([
      'l-public/l-shown',
    ]);
    expect(await paths('/groups/l-public/subgroups?search=Secret')).toEqual(['l-public/l-secret']);
    expect(await paths('/groups/l-public/descendant_groups?search=SHOWN')).toEqual(['l-public/l-shown']);
    await forgelog.put('/groups/l-public%2Fl-shown', { name: 'Unfindable' });
    expect(await paths('/groups/l-public/subgroups?search=unfind')).toEqual([]);
    expect((await forgelog.get('/groups/l-public/subgroups?order_by=similarity')).status).toBe(400);
  });

  test('a group that a member below may find shows him the way, not the rest', async () => {
    const { body } = await forgelog.get('/groups/l-private', { token: reader.token });
    expect(body.full_path).toBe('l-private');
    expect(body).not.toHaveProperty('runners_token');
    expect((await forgelog.put('/groups/l-private', { name: 'x' }, { token: reader.token })).status).toBe(
      403,
    );
  });

  test('comes in pages with totals', async () => {
    const { body, headers } = await forgelog.get('/groups?search=l-&per_page=4&page=2');
    expect(body).toHaveLength(4);
    expect(headers.get('x-total')).toBe('9');
    const similar = await forgelog.get('/groups?search=l-&order_by=similarity&per_page=4&page=3');
    expect(similar.body).toHaveLength(1);
    expect(similar.headers.get('x-next-page')).toBe('');
  });
});

describe('projects of a group', () => {
  test('are listed as the caller may see them, and shown with the group', async () => {
    const group = await createGroup(forgelog, {
      path: 'with-projects',
      visibility: 'public',
      token: owner.token,
    });
    const child = await createGroup(forgelog, { parent_id: group.id, visibility: 'public' });
    const create = (path: string, namespace_id: number, visibility: string) =>
      forgelog.post('/projects', { name: path, path, namespace_id, visibility }, { token: owner.token });
    await create('open', group.id, 'public');
    await create('closed', group.id, 'private');
    await create('below', child.id, 'public');
    const found = async (query: string, token?: string | null) =>
      (await forgelog.get(`/groups/with-projects/projects?sort=asc&${query}`, { token })).body.map(
        ({ path }: { path: string }) => path,
      );
    expect(await found('', owner.token)).toEqual(['open', 'closed']);
    expect(await found('', null)).toEqual(['open']);
    expect(await found('include_subgroups=true', outsider.token)).toEqual(['open', 'below']);
    expect(await found('order_by=similarity', owner.token)).toEqual(['closed', 'open']);
    expect(await found('visibility=private', owner.token)).toEqual(['closed']);
    expect((await forgelog.get('/groups/with-projects/projects/shared')).body).toEqual([]);
    const detail = await forgelog.get('/groups/with-projects', { token: owner.token });
    expect(detail.body.projects.map(({ path }: { path: string }) => path).sort()).toEqual(['closed', 'open']);
    const shown = await forgelog.get('/groups/with-projects', { token: null });
    expect(shown.body.projects.map(({ path }: { path: string }) => path)).toEqual(['open']);
    expect((await forgelog.delete('/groups/with-projects')).status).toBe(202);
    expect((await forgelog.get('/projects/with-projects%2Fopen')).status).toBe(404);
    expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  });
});
