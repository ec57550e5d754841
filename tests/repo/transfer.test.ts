import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { formWith } from '../support/form-with.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

async function groupOf(path: string, more: object = {}): Promise<number> {
  return (await forgelog.post('/groups', { name: path, path, ...more })).body.id;
}

/** What git asks first, at this path. */
const advertised = (path: string) =>
  fetch(`${forgelog.url}/${path}.git/info/refs?service=git-upload-pack`, {
    headers: { Authorization: `Basic ${btoa(`root:${forgelog.rootToken}`)}` },
    redirect: 'manual',
  });

test('a transferred project takes all along, and its old path leads git to the new one', async () => {
  const target = await groupOf('target');
  const { body: project } = await forgelog.post('/projects', {
    path: 'moving',
    initialize_with_readme: true,
  });
  const at = `/projects/${project.id}`;
  const { body: upload } = await forgelog.post(`${at}/uploads`, formWith({ name: 'a.txt' }));
  const { body: issue } = await forgelog.post(`${at}/issues`, { title: 'Stays' });
  const moved = await forgelog.put(`${at}/transfer`, { namespace: target });
  expect(moved.body.path_with_namespace).toBe('target/moving');
  const old = await advertised('root/moving');
  expect([old.status, old.headers.get('location')]).toEqual([
    301,
    '/target/moving.git/info/refs?service=git-upload-pack',
  ]);
  expect((await advertised('target/moving')).status).toBe(200);
  expect((await forgelog.get(`${at}/repository/files/README.md?ref=main`)).status).toBe(200);
  const shown = await forgelog.get(`${at}/issues/${issue.iid}`);
  expect(shown.body.references.full).toBe('target/moving#1');
  const file = await fetch(`${forgelog.url}/target/moving${upload.url}`, {
    headers: { 'PRIVATE-TOKEN': forgelog.rootToken },
  });
  expect(file.status).toBe(200);
  // Another project at the old path takes it over.
  await forgelog.post('/projects', { path: 'moving' });
  expect((await advertised('root/moving')).status).toBe(200);
  const audit = await forgelog.get(`${at}/audit_events`);
  const told = audit.body.map(
    ({ details }: { details: { custom_message: string } }) => details.custom_message,
  );
  expect(JSON.stringify(audit.body), told.join()).toContain('Transferred from root/moving to target/moving');
});

test('members come with the group, and go with it', async () => {
  const [from, to] = [await groupOf('rights-from'), await groupOf('rights-to')];
  const [before, after] = [
    await createUser(forgelog, { username: 'member-before' }),
    await createUser(forgelog, { username: 'member-after' }),
  ];
  await forgelog.post(`/groups/${from}/members`, { user_id: before.id, access_level: 40 });
  await forgelog.post(`/groups/${to}/members`, { user_id: after.id, access_level: 30 });
  const { body: project } = await forgelog.post('/projects', { path: 'rights', namespace_id: from });
  const seen = async () => {
    const statuses = [];
    for (const { token } of [before, after])
      statuses.push((await forgelog.get(`/projects/${project.id}`, { token })).status);
    return statuses;
  };
  expect(await seen()).toEqual([200, 404]);
  // A maintainer may not, wherever they may create.
  const own = { namespace: before.username };
  const refused = await forgelog.put(`/projects/${project.id}/transfer`, own, { token: before.token });
  expect(refused.status).toBe(403);
  await forgelog.put(`/projects/${project.id}/transfer`, { namespace: 'rights-to' });
  expect(await seen()).toEqual([404, 200]);
  const listed = async (group: number) => (await forgelog.get(`/groups/${group}/projects`)).body.length;
  expect([await listed(from), await listed(to)]).toEqual([0, 1]);
});

test('of projects of one path that move to one group at once, one arrives', async () => {
  const target = await groupOf('crowded');
  const ids: number[] = [];
  for (const at of [1, 2, 3, 4]) {
    const namespace_id = await groupOf(`crowd-${at}`);
    ids.push((await forgelog.post('/projects', { path: 'same', namespace_id })).body.id);
  }
  const replies = await Promise.all(
    ids.map((id) => forgelog.put(`/projects/${id}/transfer`, { namespace: target })),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
  const paths = await Promise.all(
    ids.map(async (id) => (await forgelog.get(`/projects/${id}`)).body.path_with_namespace),
  );
  expect(new Set(paths).size).toBe(ids.length);
  expect(paths.filter((path) => path === 'crowded/same')).toHaveLength(1);
});

test('with a moved group its projects go, and their old paths lead git to the new ones', async () => {
  const [to, from] = [await groupOf('tree-to'), await groupOf('tree-from', { visibility: 'public' })];
  const inner = await groupOf('inner', { parent_id: from, visibility: 'public' });
  const member = await createUser(forgelog, { username: 'tree-member' });
  const stranger = await createUser(forgelog, { username: 'tree-stranger' });
  await forgelog.post(`/groups/${from}/members`, { user_id: member.id, access_level: 30 });
  const { body: project } = await forgelog.post('/projects', {
    ...{ path: 'leaf', namespace_id: inner, visibility: 'public', initialize_with_readme: true },
  });
  const { body: label } = await forgelog.post(`/projects/${project.id}/labels`, {
    ...{ name: 'bug', color: '#ff0000' },
  });
  const seen = async (token: string) => (await forgelog.get(`/projects/${project.id}`, { token })).status;
  expect([await seen(member.token), await seen(stranger.token)]).toEqual([200, 200]);
  const moved = await forgelog.post(`/groups/${inner}/transfer`, { group_id: to });
  expect([moved.status, moved.body.full_path, moved.body.visibility]).toEqual([
    ...[201, 'tree-to/inner', 'private'],
  ]);
  expect([await seen(member.token), await seen(stranger.token)]).toEqual([404, 404]);
  const shown = (await forgelog.get(`/projects/${project.id}`)).body;
  expect([shown.path_with_namespace, shown.visibility]).toEqual(['tree-to/inner/leaf', 'private']);
  const old = await advertised('tree-from/inner/leaf');
  expect([old.status, old.headers.get('location')]).toEqual([
    ...[301, '/tree-to/inner/leaf.git/info/refs?service=git-upload-pack'],
  ]);
  expect((await forgelog.get('/groups/tree-from%2Finner')).status).toBe(404);
  expect((await forgelog.get('/projects/tree-to%2Finner%2Fleaf/labels')).body).toMatchObject([
    { id: label.id },
  ]);
  const listed = async (group: number) =>
    (await forgelog.get(`/groups/${group}/projects?include_subgroups=true`)).body.length;
  expect([await listed(from), await listed(to)]).toEqual([0, 1]);
  const told = (await forgelog.get(`/groups/${inner}/audit_events`)).body;
  expect(JSON.stringify(told)).toContain('Transferred from tree-from/inner to tree-to/inner');
  // The project tells of its own change, after which it can be no more open than its group.
  await expect
    .poll(async () => JSON.stringify((await forgelog.get(`/projects/${project.id}/audit_events`)).body))
    .toContain('Changed project tree-to/inner/leaf: visibility');
  const opened = await forgelog.put(`/projects/${project.id}`, { visibility: 'public' });
  expect(opened.status).toBe(400);
  // One project by itself, the other way.
  const back = await forgelog.post(`/groups/${from}/projects/${project.id}`);
  expect([back.status, back.body.id]).toEqual([201, from]);
  expect((await forgelog.get(`/projects/${project.id}`)).body.path_with_namespace).toBe('tree-from/leaf');
  const again = await forgelog.post(`/groups/${from}/projects/${project.id}`);
  expect([again.status, again.body.message]).toEqual([
    ...[400, 'Failed to transfer project: Project is already in this namespace.'],
  ]);
});
