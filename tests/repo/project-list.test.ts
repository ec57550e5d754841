import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGroup, createUser, type TestGroup, type TestUser } from '../support/accounts.ts';
import { type CallOptions, type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let ann: TestUser;
let ben: TestUser;
let outside: TestUser;
let team: TestGroup;
let below: TestGroup;
/** Moves on by a minute for each project, so that every order by time is a definite one. */
let now = Date.parse('2021-08-01T00:00:00Z');

const anonymous = { token: null };

beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => new Date(now) });
  ann = await createUser(forgelog, { username: 'ann' });
  ben = await createUser(forgelog, { username: 'ben' });
  outside = await createUser(forgelog, { username: 'outside', external: true });
  team = await createGroup(forgelog, { path: 'team', token: ann.token, visibility: 'public' });
  below = await createGroup(forgelog, {
    path: 'below',
    parent_id: team.id,
    token: ann.token,
    visibility: 'public',
  });
  await create({
    name: 'Alpha',
    visibility: 'public',
    topics: ['one', 'two'],
    description: 'the first letter',
  });
  await create({ name: 'beta', visibility: 'internal', topics: ['one'] });
  await create({ name: 'Gamma', visibility: 'private', issues_access_level: 'disabled' });
  await create({ name: 'delta', visibility: 'public', merge_requests_enabled: false }, { token: ann.token });
  await create({ name: 'Epsilon', namespace_id: team.id, visibility: 'private' });
  await create({
    name: 'zeta',
    namespace_id: below.id,
    visibility: 'public',
    issues_access_level: 'private',
  });
  await create({ name: 'eta alphabet', visibility: 'private' }, { token: ben.token });
  const gamma = (await forgelog.get('/projects/root%2Fgamma')).body.id;
  await forgelog.post(`/projects/${gamma}/members`, { user_id: ben.id, access_level: 30 });
  now += 60_000;
  await forgelog.post('/projects/root%2Falpha/archive');
});
afterAll(() => forgelog.stop());

async function create(attributes: object, options: CallOptions = {}) {
  now += 60_000;
  const reply = await forgelog.post('/projects', attributes, options);
  if (reply.status !== 201) throw new Error(reply.text);
}

async function names(query = '', options: CallOptions = {}, path = '/projects') {
  const reply = await forgelog.get(`${path}?${query}`, options);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.map(({ name }: { name: string }) => name);
}

const all = ['eta alphabet', 'zeta', 'Epsilon', 'delta', 'Gamma', 'beta', 'Alpha'];

test('newest first, and callers see only what they may', async () => {
  expect(await names()).toEqual(all);
  expect(await names('', anonymous)).toEqual(['zeta', 'delta', 'Alpha']);
  expect(await names('', { token: outside.token })).toEqual(['zeta', 'delta', 'Alpha']);
  expect(await names('', { token: ben.token })).toEqual([
    'eta alphabet',
    'zeta',
    'delta',
    'Gamma',
    'beta',
    'Alpha',
  ]);
  expect(await names('', { token: ann.token })).toEqual(['zeta', 'Epsilon', 'delta', 'beta', 'Alpha']);
});

test('anonymous callers, and those who ask for it, get exactly the simple form', async () => {
  const fields = [
    'id description default_branch ssh_url_to_repo http_url_to_repo web_url readme_url tag_list topics name',
    'name_with_namespace path path_with_namespace created_at last_activity_at forks_count avatar_url star_count',
  ].join(' ');
  const wanted = fields.split(' ').toSorted();
  for (const reply of [
    await forgelog.get('/projects', anonymous),
    await forgelog.get('/projects?simple=true'),
    await forgelog.get('/projects/root%2Falpha', anonymous).then((one) => ({ body: [one.body] })),
  ])
    for (const project of reply.body) expect(Object.keys(project).toSorted()).toEqual(wanted);
});

test('filters', async () => {
  const ids = (await forgelog.get('/projects?order_by=id&sort=asc')).body.map(({ id }: { id: number }) => id);
  expect(await names('archived=true')).toEqual(['Alpha']);
  expect(await names('archived=false&visibility=public')).toEqual(['zeta', 'delta']);
  expect(await names('visibility=internal')).toEqual(['beta']);
  expect(await names(`id_after=${ids[4]}`)).toEqual(['eta alphabet', 'zeta']);
  expect(await names(`id_before=${ids[2]}`)).toEqual(['beta', 'Alpha']);
  expect(await names('topic=one')).toEqual(['beta', 'Alpha']);
  expect(await names('topic=one,two')).toEqual(['Alpha']);
  expect(await names('with_issues_enabled=true')).not.toContain('Gamma');
  expect(await names('with_issues_enabled=true', { token: ben.token })).not.toContain('zeta');
  expect(await names('with_issues_enabled=true', { token: ann.token })).toContain('zeta');
  expect(await names('with_merge_requests_enabled=true')).toContain('Alpha');
  expect(await names('with_merge_requests_enabled=true')).not.toContain('delta');
  expect(await names('last_activity_after=2021-08-01T00:05:30Z')).toEqual(['eta alphabet', 'zeta']);
  expect(await names('last_activity_before=2021-08-01T00:01:30Z')).toEqual(['Alpha']);
  for (const none of [
    'repository_checksum_failed=true',
    'wiki_checksum_failed=true',
    'with_programming_language=ruby',
  ])
    expect(await names(none)).toEqual([]);
});

test("membership lists the caller's own projects, not those they administer", async () => {
  expect(await names('membership=true', { token: ben.token })).toEqual(['eta alphabet', 'Gamma']);
  expect(await names('membership=true')).toEqual(['Gamma', 'beta', 'Alpha']);
  expect(await names('owned=true', { token: ann.token })).toEqual(['zeta', 'Epsilon', 'delta']);
  expect(await names('owned=true', { token: ben.token })).toEqual(['eta alphabet']);
  expect(await names('min_access_level=30', { token: ben.token })).toEqual(['eta alphabet', 'Gamma']);
  expect(await names('min_access_level=40', { token: ben.token })).toEqual(['eta alphabet']);
  expect(await names('membership=true', anonymous)).toEqual([]);
  expect((await forgelog.get('/projects?min_access_level=35')).body).toEqual({
    error: 'min_access_level does not have a valid value',
  });
});

test('search matches names, paths and descriptions, and namespaces on request', async () => {
  expect(await names('search=ALPHA')).toEqual(['eta alphabet', 'Alpha']);
  expect(await names('search=first+letter')).toEqual(['Alpha']);
  expect(await names('search=team')).toEqual([]);
  expect(await names('search=team&search_namespaces=true')).toEqual(['zeta', 'Epsilon']);
  expect(await names('search=team&search_namespaces=true', anonymous)).toEqual(['zeta']);
  expect(await names('search=nothing+like+it')).toEqual([]);
});

test('orders, and those for administrators or searches only', async () => {
  expect(await names('order_by=name&sort=asc')).toEqual(
    all.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
  );
  expect(await names('order_by=path')).toEqual([
    'zeta',
    'Gamma',
    'eta alphabet',
    'Epsilon',
    'delta',
    'beta',
    'Alpha',
  ]);
  expect(await names('order_by=id&sort=asc')).toEqual(all.toReversed());
  expect(await names('order_by=updated_at')).toEqual(['Alpha', ...all.slice(0, -1)]);
  expect(await names('order_by=last_activity_at')).toEqual(all);
  expect(await names('order_by=repository_size')).toHaveLength(7);
  const order = await names('order_by=repository_size', { token: ben.token });
  expect(order).toEqual(await names('', { token: ben.token }));
  expect(await names('order_by=similarity&search=alpha')).toEqual(['Alpha']);
  expect(await names('order_by=similarity&search=eta', { token: ben.token })).toEqual(['eta alphabet']);
  expect(await names('order_by=similarity')).toEqual(all);
  expect((await forgelog.get('/projects?order_by=color')).body).toEqual({
    error: 'order_by does not have a valid value',
  });
});

test('parameters for administrators are ignored from others', async () => {
  expect(await names('repository_storage=elsewhere')).toEqual([]);
  expect(await names('repository_storage=default')).toEqual(all);
  expect(await names('repository_storage=elsewhere', { token: ben.token })).toHaveLength(6);
  expect(await names('custom_attributes[team]=x')).toEqual([]);
  const [named] = (await forgelog.get('/projects')).body;
  for (const team of ['y', 'x'])
    await forgelog.put(`/projects/${named.id}/custom_attributes/team`, { value: team });
  expect(await names('custom_attributes[team]=x')).toEqual([named.name]);
  expect(await names('custom_attributes[team]=y')).toEqual([]);
  expect(await names('custom_attributes[team]=x&custom_attributes[other]=x')).toEqual([]);
  expect(await names('custom_attributes[team]=x', { token: ben.token })).toHaveLength(6);
  const shown = await forgelog.get(`/projects/${named.id}?with_custom_attributes=true`);
  expect(shown.body.custom_attributes).toEqual([{ key: 'team', value: 'x' }]);
  await forgelog.delete(`/projects/${named.id}/custom_attributes/team`);
  const [project] = (await forgelog.get('/projects?with_custom_attributes=true')).body;
  expect(project.custom_attributes).toEqual([]);
  const [other] = (await forgelog.get('/projects?with_custom_attributes=true', { token: ben.token })).body;
  expect(other).not.toHaveProperty('custom_attributes');
});

test('statistics need at least Reporter', async () => {
  const { body } = await forgelog.get('/projects?statistics=true', { token: ben.token });
  const shown = body.filter((project: object) => 'statistics' in project);
  expect(shown.map(({ name }: { name: string }) => name)).toEqual(['eta alphabet', 'Gamma']);
  expect(shown[0].statistics).toMatchObject({ commit_count: 0, wiki_size: 0 });
});

test('pages, keyset pages, and the end of offsets', async () => {
  const first = await forgelog.get('/projects?per_page=3');
  expect(first.headers.get('x-total')).toBe('7');
  expect(first.headers.get('x-next-page')).toBe('2');
  expect(await names('per_page=3&page=3')).toEqual(['Alpha']);
  const seen: string[] = [];
  let address: string | undefined =
    `${forgelog.url}/api/v4/projects?pagination=keyset&order_by=id&sort=asc&per_page=3`;
  while (address) {
    const reply: Response = await fetch(address, { headers: { 'PRIVATE-TOKEN': forgelog.rootToken } });
    for (const { name } of (await reply.json()) as { name: string }[]) seen.push(name);
    expect(reply.headers.get('x-total')).toBeNull();
    address = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual(all.toReversed());
  expect(await names('pagination=keyset&order_by=name')).toEqual(await names('order_by=name'));
  expect(await names('pagination=keyset&per_page=100&page=501')).toEqual(all);
  expect(await names('per_page=100&page=500')).toEqual([]);
  const beyond = await forgelog.get('/projects?per_page=100&page=501');
  expect([beyond.status, beyond.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  expect(beyond.body.error).toContain(
    'maximum allowed offset of 50000 for requests that return objects of type Project.',
  );
});

test("a user's own projects", async () => {
  expect(await names('', {}, `/users/${ben.id}/projects`)).toEqual(['eta alphabet']);
  expect(await names('', {}, '/users/BEN/projects')).toEqual(['eta alphabet']);
  expect(await names('', anonymous, '/users/ann/projects')).toEqual(['delta']);
  expect(await names('', anonymous, `/users/${ben.id}/projects`)).toEqual([]);
  expect(await forgelog.get('/users/nobody/projects')).toMatchObject({
    status: 404,
    body: { message: '404 User Not Found' },
  });
});

test('the projects of a group, with subgroups on request', async () => {
  const path = `/groups/${team.id}/projects`;
  expect(await names('', {}, path)).toEqual(['Epsilon']);
  expect(await names('', anonymous, path)).toEqual([]);
  expect(await names('include_subgroups=true', {}, path)).toEqual(['zeta', 'Epsilon']);
  expect(await names('include_subgroups=true', anonymous, path)).toEqual(['zeta']);
  const byName = 'include_subgroups=true&order_by=similarity&sort=desc';
  expect(await names(byName, {}, path)).toEqual(['Epsilon', 'zeta']);
  expect(await names('include_subgroups=true&min_access_level=50', { token: ben.token }, path)).toEqual([]);
  expect(await names('', {}, `${path}/shared`)).toEqual([]);
});
