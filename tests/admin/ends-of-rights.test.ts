import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endMemberships } from '@forgelog/admin/members/membership-ends.commands.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { range } from '@forgelog/eventing/query.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createGroup, createToken, createUser } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { expectRebuiltAlike } from '../support/rebuilt.ts';
import { storesUnderTest } from '../support/stores.ts';

const DAY_MS = 86_400_000;
const ENDS = ['GroupMemberRemoved', 'ProjectMemberRemoved', 'PersonalAccessTokenEnded'];

async function endsIn({ system }: Forgelog, after = '') {
  const events = await system.store.readAll({ after, limit: 100_000 });
  return events.filter(({ type }) => ENDS.includes(type));
}

/** Type, user and reason of each end, in any order. */
const told = (events: Awaited<ReturnType<typeof endsIn>>): string[] =>
  events
    .map(({ type, data }) => {
      const { userId, reason } = data as { userId: number; reason: string };
      return `${type} ${userId} ${reason}`;
    })
    .toSorted();

async function settled(forgelog: Forgelog): Promise<void> {
  await eventually('the policies have nothing left to do', () => forgelog.system.projectors.policiesIdle());
}

test('each membership and token ends by an event of its own on its day, after a restart too', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-ends-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  let now = Date.parse('2026-03-08T12:00:00Z');
  const start = () => startForgelog({ dataDir, clock: () => new Date(now) });
  const day = '2026-03-10';
  let forgelog = await start();
  const ann = await createUser(forgelog);
  const bob = await createUser(forgelog);
  const group = await createGroup(forgelog);
  const project = await must(forgelog.post('/projects', { name: 'p', namespace_id: group.id }));
  await must(
    forgelog.post(`/groups/${group.id}/members`, { user_id: ann.id, access_level: 30, expires_at: day }),
  );
  await must(
    forgelog.post(`/projects/${project.id}/members`, {
      user_id: `${ann.id},${bob.id}`,
      access_level: 30,
      expires_at: day,
    }),
  );
  // Moved in time: does not end on its first day.
  const later = { access_level: 30, expires_at: '2026-03-12' };
  await must(forgelog.put(`/projects/${project.id}/members/${bob.id}`, later));
  await createToken(forgelog, ann.id, ['api'], day);
  now += DAY_MS;
  await forgelog.stop();
  forgelog = await start();
  expect(await endsIn(forgelog)).toEqual([]);
  now += DAY_MS;
  const ends = await eventually('three ends', () => endsIn(forgelog), { until: (all) => all.length >= 3 });
  expect(told(ends)).toEqual([
    `GroupMemberRemoved ${ann.id} expired`,
    `PersonalAccessTokenEnded ${ann.id} expired`,
    `ProjectMemberRemoved ${ann.id} expired`,
  ]);
  for (const { metadata } of ends) expect(metadata.actorId).toBeNull();
  await forgelog.stop();
  now += 2 * DAY_MS;
  forgelog = await start();
  const last = await eventually('the end of the moved one', () => endsIn(forgelog), {
    until: (all) => all.length >= 4,
  });
  expect(told(last.slice(3))).toEqual([`ProjectMemberRemoved ${bob.id} expired`]);
  // A clock that is set back takes nothing back, and ends nothing twice.
  now -= 3 * DAY_MS;
  await forgelog.stop();
  forgelog = await start();
  now += 5 * DAY_MS;
  await must(forgelog.get(`/groups/${group.id}/members`));
  expect(await endsIn(forgelog)).toHaveLength(4);
  await expectRebuiltAlike(forgelog);
  await forgelog.stop();
});

test('a log from before has each end that it lacks appended, once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-ends-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { store, readStore } = await storesUnderTest(readConfiguration({ DATA_DIR: dataDir }));
  let number = 0;
  const log = async (stream: string, ...events: { type: string; data: object }[]) => {
    const known = await store.readStream(stream);
    const id = () => newEventId(Date.parse('2026-01-01T00:00:00Z') + ++number);
    const enveloped = events.map((event) => ({
      ...event,
      ...{ id: id(), schemaVersion: 1, time: '2026-01-01T00:00:00.000Z', metadata: SYSTEM_METADATA },
    }));
    await store.append(stream, known.at(-1)?.revision ?? 'no-stream', enveloped);
  };
  for (const userId of [51, 52]) {
    const username = `user${userId}`;
    const names = { username, name: username, email: `${username}@example.org` };
    const kind = { admin: false, external: false, bot: false, passwordHash: null, confirmed: true };
    const data = { userId, namespaceId: 1000 + userId, ...names, ...kind, identities: [], profile: {} };
    await log(`user-${userId}`, { type: 'UserCreated', data });
  }
  const place = { parentId: null, name: 'Old', path: 'old', fullPath: 'old', description: '' };
  const group = { groupId: 900, ...place, visibility: 'private', creatorId: 51, settings: {} };
  await log('group-900', { type: 'GroupCreated', data: group });
  const member = { projectId: 901, accessLevel: 30, expiresAt: null };
  const project = { projectId: 901, namespaceId: 900, ownerId: null, creatorId: 51, name: 'p', path: 'p' };
  const more = { fullPath: 'old/p', description: null, visibility: 'private', defaultBranch: null };
  await log('project-901', { type: 'ProjectCreated', data: { ...project, ...more, settings: {} } });
  await log(
    'projectMember-901',
    { type: 'ProjectMemberAdded', data: { ...member, userId: 51, expiresAt: '2026-02-01' } },
    { type: 'ProjectMemberAdded', data: { ...member, userId: 52 } },
  );
  const token = { tokenId: 902, userId: 52, name: 't', scopes: ['api'], expiresAt: null };
  const secret = { tokenSha256: 'ab', impersonation: false, projectId: null, groupId: null };
  await log('accessToken-902', { type: 'PersonalAccessTokenCreated', data: { ...token, ...secret } });
  const deleted = { userId: 52, namespaceId: 1052, username: 'user52', email: 'user52@example.org' };
  await log('user-52', { type: 'UserDeleted', data: { ...deleted, hardDelete: false } });
  await log('group-900', {
    type: 'GroupDeleted',
    data: { groupId: 900, parentId: null, path: 'old', fullPath: 'old' },
  });
  await store.close();
  await readStore.close();

  for (let starts = 0; starts < 2; starts++) {
    const forgelog = await startForgelog({ dataDir });
    const ends = await eventually('the missing ends', () => endsIn(forgelog), {
      until: (all) => all.length >= 4,
    });
    await settled(forgelog);
    expect(told(ends)).toEqual([
      'GroupMemberRemoved 51 deleted',
      'PersonalAccessTokenEnded 52 deleted',
      expect.stringMatching(/^ProjectMemberRemoved 51 (expired|deleted)$/),
      'ProjectMemberRemoved 52 deleted',
    ]);
    expect(await endsIn(forgelog)).toHaveLength(4);
    await forgelog.stop();
  }
});

test('thousands that are due at once end once each, by two replicas at the same time', async () => {
  let now = Date.parse('2026-03-08T12:00:00Z');
  const forgelog = await forgelogForTest({ clock: () => new Date(now) });
  const { ports } = forgelog.system;
  const group = await createGroup(forgelog);
  const userId = (await createUser(forgelog)).id;
  const expires_at = '2026-03-09';
  const project = await must(forgelog.post('/projects', { name: 'p', namespace_id: group.id }));
  const member = { accessLevel: 30, expiresAt: expires_at };
  const many = Array.from({ length: 1200 }, (_, index) => 10_000 + index);
  const added = many.map((id) => ({
    type: 'ProjectMemberAdded',
    data: { projectId: project.id, userId: id, ...member },
  }));
  await ports.commands.append(`projectMember-${project.id}`, 'no-stream', added, SYSTEM_METADATA);
  await must(forgelog.post(`/groups/${group.id}/members`, { user_id: userId, access_level: 30, expires_at }));
  const before = await forgelog.system.store.head();
  now += DAY_MS;
  const sweep = () =>
    endMemberships(ports, {
      where: range('expiresAt', { lte: expires_at }),
      reason: 'expired',
      metadata: SYSTEM_METADATA,
      signal: new AbortController().signal,
    });
  await Promise.all([sweep(), sweep()]);
  const ends = await endsIn(forgelog, before);
  expect(ends).toHaveLength(1201);
  expect(new Set(ends.map(({ data }) => (data as { userId: number }).userId)).size).toBe(1201);
});

test('what a deleted user, project and group had of rights ends by events of their own', async () => {
  const forgelog = await forgelogForTest();
  const ann = await createUser(forgelog);
  const bob = await createUser(forgelog);
  const outer = await createGroup(forgelog, { token: ann.token });
  const inner = await createGroup(forgelog, { token: ann.token, parent_id: outer.id });
  const add = (path: string, id: number) =>
    must(forgelog.post(`${path}/members`, { user_id: id, access_level: 30 }));
  await add(`/groups/${inner.id}`, bob.id);
  const project = async (name: string, where: object) =>
    (await must(forgelog.post('/projects', { name, ...where }, { token: ann.token }))).id;
  const below = await project('below', { namespace_id: inner.id });
  const own = await project('own', {});
  for (const id of [below, own]) await add(`/projects/${id}`, bob.id);
  await settled(forgelog);

  const after = async (deletion: string): Promise<string[]> => {
    const before = await forgelog.system.store.head();
    const { id: causationId } = await must(forgelog.delete(deletion)).then(async () => {
      const [event] = await forgelog.system.store.readAll({ after: before, limit: 1 });
      return event!;
    });
    await settled(forgelog);
    const ends = await endsIn(forgelog, before);
    for (const { metadata } of ends) expect(metadata.causationId).not.toBeNull();
    expect(causationId).toBeDefined();
    return told(ends);
  };

  expect(await after(`/projects/${own}`)).toEqual([`ProjectMemberRemoved ${bob.id} deleted`]);
  expect(await after(`/groups/${outer.id}`)).toEqual(
    [
      `GroupMemberRemoved ${ann.id} deleted`,
      `GroupMemberRemoved ${ann.id} deleted`,
      `GroupMemberRemoved ${bob.id} deleted`,
      `ProjectMemberRemoved ${bob.id} deleted`,
    ].toSorted(),
  );
  const other = await project('other', {});
  await add(`/projects/${other}`, bob.id);
  const team = await createGroup(forgelog, { token: ann.token });
  await add(`/groups/${team.id}`, bob.id);
  expect(await after(`/users/${bob.id}`)).toEqual(
    [
      `GroupMemberRemoved ${bob.id} deleted`,
      `PersonalAccessTokenEnded ${bob.id} deleted`,
      `ProjectMemberRemoved ${bob.id} deleted`,
    ].toSorted(),
  );
  // Appended behind the checks of the API, as in a race with the deletion.
  const late = { projectId: other, userId: bob.id, accessLevel: 30, expiresAt: null };
  const { store, ports } = forgelog.system;
  const stream = `projectMember-${other}`;
  const revision = (await store.readStream(stream)).at(-1)!.revision;
  const event = { type: 'ProjectMemberAdded', data: late };
  const before = await store.head();
  await ports.commands.append(stream, revision, [event], SYSTEM_METADATA);
  await settled(forgelog);
  expect(told(await endsIn(forgelog, before))).toEqual([`ProjectMemberRemoved ${bob.id} deleted`]);
});
