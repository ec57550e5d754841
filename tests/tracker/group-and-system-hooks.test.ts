import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { type HookReceiver, startReceiver } from '../support/hook-receiver.ts';
import { type Inhabitant, settleUser } from '../support/inhabitants.ts';
import { must } from '../support/must.ts';
import { REACHING_LOCAL } from '../support/receiver.ts';

let forgelog: Forgelog;
let member: Inhabitant;
beforeAll(async () => {
  forgelog = await startForgelog();
  await must(forgelog.put('/application/settings', REACHING_LOCAL));
  member = await settleUser(forgelog, 'member');
});
afterAll(() => forgelog.stop());

let groups = 0;
const newGroup = (parent_id?: number) => {
  const path = `told-${++groups}`;
  return must(forgelog.post('/groups', { name: path, path, parent_id }));
};
const newProject = (namespace_id: number, name: string) =>
  must(forgelog.post('/projects', { name, namespace_id, initialize_with_readme: true }));

async function hooked(hooks: string, flags: object) {
  const receiver = await startReceiver();
  const hook = await must(forgelog.post(hooks, { url: receiver.url, push_events: false, ...flags }));
  return { receiver, hook, one: `${hooks}/${hook.id}` };
}

const named = (receiver: HookReceiver) =>
  receiver.received.map(({ body }) => body.event_name ?? body.object_kind);
const bodyOf = (receiver: HookReceiver, name: string) =>
  receiver.received.find(({ body }) => (body.event_name ?? body.object_kind) === name)?.body;

test('a hook of a group is told of projects below, of subgroups and of members', async () => {
  const { id, full_path } = await newGroup();
  const other = await newGroup();
  const flags = { issues_events: true, member_events: true, subgroup_events: true };
  const { receiver, hook, one } = await hooked(`/groups/${id}/hooks`, flags);
  expect(hook).toMatchObject({ ...flags, group_id: id, confidential_issues_events: false });

  const below = await newGroup(id);
  const project = await newProject(below.id, 'deep');
  const elsewhere = await newProject(other.id, 'elsewhere');
  await must(forgelog.post(`/projects/${elsewhere.id}/issues`, { title: 'Unheard' }));
  await must(forgelog.post(`/projects/${project.id}/issues`, { title: 'Secret', confidential: true }));
  await must(forgelog.post(`/projects/${project.id}/issues`, { title: 'Heard' }));
  await must(forgelog.post(`/groups/${below.id}/members`, { user_id: member.id, access_level: 30 }));
  await must(forgelog.put(`/groups/${below.id}/members/${member.id}`, { access_level: 40 }));
  expect((await forgelog.delete(`/groups/${below.id}/members/${member.id}`)).status).toBe(204);
  await expect
    .poll(() => named(receiver).toSorted())
    .toEqual([
      ...['issue', 'subgroup_create', 'user_add_to_group', 'user_add_to_group'],
      ...['user_remove_from_group', 'user_update_for_group'],
    ]);
  expect(bodyOf(receiver, 'issue').object_attributes.title).toBe('Heard');
  expect(bodyOf(receiver, 'subgroup_create')).toMatchObject({
    ...{ group_id: below.id, full_path: below.full_path, created_at: expect.any(String) },
    ...{ parent_group_id: id, parent_full_path: full_path },
  });
  expect(bodyOf(receiver, 'user_update_for_group')).toMatchObject({
    ...{ group_id: below.id, group_access: 'Maintainer', user_id: member.id, user_username: 'member' },
    ...{ user_email: '[REDACTED]', expires_at: null },
  });
  expect(new Set(receiver.received.map(({ headers }) => headers['x-gitlab-event']))).toEqual(
    new Set(['Issue Hook', 'Member Hook', 'Subgroup Hook']),
  );

  for (const trigger of ['push_events', ...Object.keys(flags)])
    expect(await forgelog.post(`${one}/test/${trigger}`), trigger).toMatchObject({ status: 201 });
  const deliveries = await must(forgelog.get(`${one}/events`));
  const issue = deliveries.find(
    ({ trigger, cause }: { trigger: string; cause: string }) =>
      trigger === 'issues_hooks' && cause === 'event',
  );
  expect(await forgelog.post(`${one}/events/${issue.id}/resend`)).toMatchObject({ status: 201 });
  receiver.received.length = 0;
  expect(await forgelog.post(`${one}/replay`, { after_event_id: deliveries.at(-1).id })).toMatchObject({
    status: 202,
  });
  await expect.poll(() => named(receiver).includes('user_remove_from_group')).toBe(true);
});

test('what leaves a group is no longer told to its hooks, and its end takes them along', async () => {
  const top = await newGroup();
  const group = await newGroup(top.id);
  const other = await newGroup();
  const above = await hooked(`/groups/${top.id}/hooks`, { subgroup_events: true });
  const { receiver, one } = await hooked(`/groups/${group.id}/hooks`, { issues_events: true });
  const { id } = await newProject(group.id, 'moving');
  await must(forgelog.post(`/projects/${id}/issues`, { title: 'Before' }));
  await expect.poll(() => receiver.received.length).toBe(1);
  await must(forgelog.put(`/projects/${id}/transfer`, { namespace: other.id }));
  const { iid } = await must(forgelog.post(`/projects/${id}/issues`, { title: 'After' }));
  const { id: told } = (await must(forgelog.get(`${one}/events`)))[0];
  // From the beginning: of what is told there is nothing that the group has.
  expect(await forgelog.post(`${one}/replay`)).toMatchObject({ status: 202 });
  await must(forgelog.put(`/projects/${id}/issues/${iid}`, { title: 'Later' }));
  await forgelog.system.projectors.policiesIdle();
  expect(receiver.received.map(({ body }) => body.object_attributes.title)).toEqual(['Before']);
  expect((await forgelog.get(`/groups/${other.id}/hooks/${told}`)).status).toBe(404);
  expect((await forgelog.get(`/groups/${top.id}/hooks/${one.split('/').at(-1)}`)).status).toBe(404);

  expect((await forgelog.delete(`/groups/${group.id}`)).status).toBe(202);
  const now = { permanently_remove: true, full_path: group.full_path };
  await forgelog.call('DELETE', `/groups/${group.id}?${new URLSearchParams(now as never)}`);
  await expect.poll(() => named(above.receiver)).toEqual(['subgroup_destroy']);
  expect(bodyOf(above.receiver, 'subgroup_destroy')).toMatchObject({
    ...{ group_id: group.id, full_path: group.full_path, parent_group_id: top.id },
  });
  expect((await forgelog.get(one)).status).toBe(404);
});

test('a hook of the instance is told of accounts, keys, places and pushes', async () => {
  const flags = { push_events: true, tag_push_events: true, repository_update_events: true };
  const { receiver, hook, one } = await hooked('/hooks', flags);
  expect(hook).toMatchObject({ ...flags, merge_requests_events: false });
  expect(hook).not.toHaveProperty('project_id');
  expect((await forgelog.get('/hooks', { token: member.token })).status).toBe(403);

  const user = await settleUser(forgelog, 'newcomer');
  const key = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'B'.repeat(43)}`;
  const made = await must(forgelog.post(`/users/${user.id}/keys`, { title: 'Laptop', key }));
  expect((await forgelog.delete(`/users/${user.id}/keys/${made.id}`)).status).toBe(204);
  await must(forgelog.put(`/users/${user.id}`, { username: 'renamed' }));
  const group = await newGroup();
  const { id } = await newProject(group.id, 'watched');
  await must(forgelog.post(`/projects/${id}/members`, { user_id: member.id, access_level: 20 }));
  await must(forgelog.put(`/projects/${id}`, { path: 'seen' }));
  await must(forgelog.put(`/projects/${id}`, { description: 'Seen' }));
  await must(forgelog.put(`/groups/${group.id}`, { path: `${group.path}-more` }));
  await expect
    .poll(() => named(receiver))
    .toEqual(
      expect.arrayContaining([
        ...['user_create', 'key_create', 'key_destroy', 'user_rename', 'group_create', 'user_add_to_group'],
        ...['project_create', 'push', 'repository_update', 'user_add_to_team', 'project_rename'],
        ...['project_update', 'group_rename'],
      ]),
    );
  expect(bodyOf(receiver, 'project_create')).toMatchObject({
    ...{ project_id: id, path_with_namespace: expect.stringContaining(group.path), owner_name: group.name },
    ...{ project_namespace_id: group.id, project_visibility: 'private', created_at: expect.any(String) },
  });
  expect(bodyOf(receiver, 'project_rename')).toMatchObject({
    ...{ path: 'seen', old_path_with_namespace: `${group.full_path}/watched` },
  });
  expect(bodyOf(receiver, 'user_rename')).toMatchObject({ username: 'renamed', old_username: 'newcomer' });
  expect(bodyOf(receiver, 'key_create')).toMatchObject({ id: made.id, username: expect.any(String) });
  expect(bodyOf(receiver, 'repository_update')).toMatchObject({
    ...{ project_id: id, refs: ['refs/heads/main'], changes: [{ ref: 'refs/heads/main' }] },
  });
  expect(bodyOf(receiver, 'group_rename')).toMatchObject({ old_full_path: group.full_path });
  expect(new Set(receiver.received.map(({ headers }) => headers['x-gitlab-event']))).toEqual(
    new Set(['System Hook']),
  );
  // Authors of commits are as git has them.
  const unpushed = receiver.received.filter(({ body }) => body.object_kind !== 'push');
  expect(JSON.stringify(unpushed)).not.toContain('@example');

  for (const trigger of ['system_events', ...Object.keys(flags)])
    expect(await forgelog.post(`${one}/test/${trigger}`), trigger).toMatchObject({ status: 201 });
  expect((await forgelog.delete(one)).status).toBe(204);
  expect(await must(forgelog.get('/hooks'))).toEqual([]);
});
