import { groupStream } from '@forgelog/admin/groups/group.decider.ts';
import { userStream } from '@forgelog/admin/users/user.decider.ts';
import { emailStream, projectNameStream, routeStream } from '@forgelog/directory/name.decider.ts';
import { GRACE_MS, holderStream } from '@forgelog/directory/names.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { projectStream } from '@forgelog/repo/projects/project.decider.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGroup, createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let now = Date.parse('2030-01-01T00:00:00Z');
beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => new Date(now) });
});
afterAll(() => forgelog.stop());
beforeEach(() => {
  now += 60_000;
});

const head = async () => {
  await expect.poll(() => forgelog.system.projectors.policiesIdle()).toBe(true);
  return forgelog.system.store.head();
};
const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).toSorted();
const project = (attributes: object) => forgelog.post('/projects', attributes);
const taken = (field: string) => ({ message: { [field]: ['has already been taken'] } });

test('the streams of holders are those that their deciders write', () => {
  expect(holderStream({ kind: 'user', id: 7 })).toBe(userStream(7));
  expect(holderStream({ kind: 'group', id: 7 })).toBe(groupStream(7));
  expect(holderStream({ kind: 'project', id: 7 })).toBe(projectStream(7));
});

test('a creation or a rename that is refused leaves no event', async () => {
  const ada = await createUser(forgelog, { username: 'ada' });
  const eve = await createUser(forgelog, { username: 'eve' });
  const team = await createGroup(forgelog, { path: 'team' });
  const crew = await createGroup(forgelog, { path: 'crew' });
  const { body: app } = await project({ name: 'App', path: 'app', namespace_id: team.id });
  const { body: other } = await project({ name: 'Other', path: 'other', namespace_id: team.id });
  const account = { name: 'x', force_random_password: true };
  const before = await head();
  const refused = [
    await forgelog.post('/users', { ...account, username: 'ada', email: 'free@example.org' }),
    await forgelog.post('/users', { ...account, username: 'free', email: ada.email }),
    await forgelog.put(`/users/${eve.id}`, { username: 'TEAM', email: 'free@example.org' }),
    await forgelog.post('/groups', { name: 'x', path: 'ADA' }),
    await forgelog.post('/groups', { name: 'x', path: 'app', parent_id: team.id }),
    await forgelog.put(`/groups/${crew.id}`, { path: 'team' }),
    await project({ name: 'App', path: 'free', namespace_id: team.id }),
    await project({ name: 'Free', path: 'APP', namespace_id: team.id }),
    await project({ name: 'App', path: 'app', namespace_id: team.id }),
    await forgelog.put(`/projects/${other.id}`, { name: 'App', path: 'free' }),
    await forgelog.put(`/projects/${other.id}`, { name: 'Free', path: 'app' }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([...[409, 409, 409], ...Array(8).fill(400)]);
  expect(refused[8]!.body.message).toMatchObject({ ...taken('name').message, ...taken('path').message });
  expect(refused.slice(9).map(({ body }) => body)).toEqual([taken('name'), taken('path')]);
  expect(await head()).toBe(before);
  // None of it is held by anybody.
  expect((await createUser(forgelog, { username: 'free', email: 'free@example.org' })).id).toBeGreaterThan(0);
  expect((await project({ name: 'Free', path: 'free', namespace_id: team.id })).status).toBe(201);
  expect((await forgelog.put(`/projects/${app.id}`, { name: 'App', path: 'app' })).status).toBe(200);
});

test('of many who want a name at once one gets it, and the others the right answer', async () => {
  const team = await createGroup(forgelog, { path: 'contended' });
  const eight = (call: (at: number) => ReturnType<Forgelog['call']>) =>
    Promise.all(Array.from({ length: 8 }, (_, at) => call(at)));
  const once = (status: number, refusal: number) => [status, ...Array(7).fill(refusal)].toSorted();
  const account = { name: 'x', force_random_password: true };
  const named = await eight((at) => project({ name: 'Same', path: `p${at}`, namespace_id: team.id }));
  expect(statuses(named)).toEqual(once(201, 400));
  for (const { status, body } of named) if (status === 400) expect(body).toMatchObject(taken('name'));
  const both = await eight(() => project({ name: 'Both', path: 'both', namespace_id: team.id }));
  expect(statuses(both)).toEqual(once(201, 400));
  // Groups and projects of a group have one space of paths.
  const mixed = await eight((at) =>
    at % 2 === 0
      ? project({ name: `Mixed ${at}`, path: 'mixed', namespace_id: team.id })
      : forgelog.post('/groups', { name: 'Mixed', path: 'mixed', parent_id: team.id }),
  );
  expect(statuses(mixed)).toEqual(once(201, 400));
  const users = await eight((at) =>
    forgelog.post('/users', { ...account, username: 'same', email: `${at}@x.org` }),
  );
  expect(statuses(users)).toEqual(once(201, 409));
  const made = await Promise.all(
    Array.from({ length: 4 }, (_, at) => project({ name: `r${at}`, namespace_id: team.id })),
  );
  const renames = await Promise.all(
    made.map(({ body }) => forgelog.put(`/projects/${body.id}`, { name: 'One name' })),
  );
  expect(statuses(renames)).toEqual([200, 400, 400, 400]);
});

test('what broke off after its claim is in nobody’s way for long, whoever claims next', async () => {
  const team = await createGroup(forgelog, { path: 'broken' });
  const { commands } = forgelog.system.ports;
  const lose = async (stream: string, holder: string, holderId: number) => {
    const data = { holder, holderId, claimedAt: new Date(now).toISOString() };
    await commands.append(stream, 'no-stream', [{ type: 'NameClaimed', data }], SYSTEM_METADATA);
  };
  const account = { name: 'x', force_random_password: true };
  await lose(routeStream(team.id, 'a'), 'group', 901);
  await lose(routeStream(team.id, 'b'), 'project', 902);
  await lose(projectNameStream(team.id, 'Lost'), 'project', 903);
  await lose(routeStream(null, 'lost'), 'user', 904);
  await lose(emailStream('lost@example.org'), 'user', 904);
  now += GRACE_MS + 1;
  expect((await project({ name: 'Lost', path: 'a', namespace_id: team.id })).status).toBe(201);
  expect((await forgelog.post('/groups', { name: 'b', path: 'b', parent_id: team.id })).status).toBe(201);
  const user = { ...account, username: 'lost', email: 'lost@example.org' };
  expect((await forgelog.post('/users', user)).status).toBe(201);
});

test('a name is free again when its holder is renamed or deleted', async () => {
  const top = await createGroup(forgelog, { path: 'leaving' });
  const sub = await createGroup(forgelog, { path: 'sub', parent_id: top.id });
  const { body: first } = await project({ name: 'First', path: 'first', namespace_id: top.id });
  const again = () => project({ name: 'First', path: 'first', namespace_id: top.id });
  await forgelog.put(`/projects/${first.id}`, { name: 'Second' });
  expect((await again()).body).toMatchObject(taken('path'));
  await forgelog.put(`/projects/${first.id}`, { path: 'second' });
  const second = await again();
  expect(second.status).toBe(201);
  await forgelog.delete(`/projects/${second.body.id}`);
  expect((await again()).status).toBe(201);
  await forgelog.put(`/groups/${sub.id}`, { path: 'moved' });
  expect((await project({ name: 'Sub', path: 'sub', namespace_id: top.id })).status).toBe(201);
  // Renamed by its case alone, and back.
  expect((await forgelog.put(`/groups/${top.id}`, { path: 'LEAVING' })).body.path).toBe('LEAVING');
  expect((await forgelog.post('/groups', { name: 'x', path: 'leaving' })).status).toBe(400);
  await forgelog.delete(`/groups/${top.id}`);
  expect((await forgelog.post('/groups', { name: 'x', path: 'leaving' })).status).toBe(201);
  const ada = await createUser(forgelog, { username: 'leaver' });
  await forgelog.put(`/users/${ada.id}`, { username: 'LEAVER' });
  await forgelog.delete(`/users/${ada.id}`);
  expect((await createUser(forgelog, { username: 'leaver', email: ada.email })).id).toBeGreaterThan(ada.id);
});

test('projects of a log that has no claims of names are still the only ones of their name', async () => {
  const team = await createGroup(forgelog, { path: 'old' });
  const { commands, ids } = forgelog.system.ports;
  const projectId = await ids.next('project');
  const claim = { type: 'NameClaimed', data: { holder: 'project', holderId: projectId } };
  await commands.append(routeStream(team.id, 'old'), 'no-stream', [claim], SYSTEM_METADATA);
  const data = {
    ...{ projectId, namespaceId: team.id, ownerId: null, creatorId: 1, name: 'Old', path: 'old' },
    ...{ fullPath: 'old/old', description: null, visibility: 'private', defaultBranch: null, settings: {} },
  };
  const created = [{ type: 'ProjectCreated', data }];
  await commands.append(projectStream(projectId), 'no-stream', created, SYSTEM_METADATA);
  const before = await head();
  expect((await project({ name: 'Old', path: 'x', namespace_id: team.id })).body).toMatchObject(
    taken('name'),
  );
  expect(await head()).toBe(before);
  const { body: other } = await project({ name: 'Second', path: 'second', namespace_id: team.id });
  expect((await forgelog.put(`/projects/${other.id}`, { name: 'Old' })).body).toEqual(taken('name'));
  expect((await forgelog.put(`/projects/${projectId}`, { name: 'Renamed' })).status).toBe(200);
  expect((await forgelog.put(`/projects/${other.id}`, { name: 'Old' })).status).toBe(200);
  expect((await forgelog.put(`/projects/${projectId}`, { name: 'Old' })).body).toEqual(taken('name'));
});
