import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGroup, createUser, type TestGroup, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let owner: TestUser;
let outsider: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  owner = await createUser(forgelog, { username: 'owner' });
  outsider = await createUser(forgelog, { username: 'outsider' });
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

async function paths(path: string, token?: string | null): Promise<string[]> {
  const { status, body, text } = await forgelog.get(path, { token });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return body.map(({ full_path }: { full_path: string }) => full_path);
}

describe('one group', () => {
  test('of many at the same time one gets the path', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 6 }, () => forgelog.post('/groups', { name: 'r', path: 'raced' })),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
  });
});

describe('deleting groups', () => {
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
    const deletion = async ({ id }: TestGroup) =>
      (await forgelog.system.store.readStream(`group-${id}`)).find(({ type }) => type === 'GroupDeleted');
    expect(await deletion(child)).toMatchObject({ data: { fullPath: 'doomed/c' } });
    expect(await deletion(grandchild)).toMatchObject({ metadata: { actorId: owner.id } });
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
