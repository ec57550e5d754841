import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '../support/accounts.ts';
import { createFixtures } from '../support/fixtures.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let now = Date.UTC(2024, 4, 1, 12);

beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => new Date(now) });
});
afterAll(() => forgelog.stop());

/** A private project with an issue, a member of it and somebody else. */
async function place(name: string) {
  const fixtures = createFixtures(forgelog);
  const owner = await fixtures.person(`${name}-owner`);
  const member = await fixtures.person(`${name}-member`);
  const other = await fixtures.person(`${name}-other`);
  const project = await fixtures.project(name, owner);
  await forgelog.post(`/projects/${project.id}/members`, { user_id: member.id, access_level: 20 }, owner);
  const { body } = await forgelog.post(`/projects/${project.id}/issues`, { title: 'first' }, owner);
  return { owner, member, other, project, path: `/projects/${project.id}/issues/${body.iid}` };
}

describe('a cached answer', () => {
  test('stays the same until a write, and is then up to date', async () => {
    const { owner, path } = await place('again');
    const first = await forgelog.get(path, owner);
    const second = await forgelog.get(path, owner);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    await forgelog.put(path, { title: 'second' }, owner);
    const third = await forgelog.get(path, owner);
    expect(third.body.title).toBe('second');
    expect(third.headers.get('etag')).not.toBe(first.headers.get('etag'));
  });

  test('depends on the caller: their subscription, and whether they see it at all', async () => {
    const { owner, member, other, path } = await place('callers');
    for (let round = 0; round < 2; round += 1) {
      expect((await forgelog.get(path, owner)).body.subscribed).toBe(true);
      expect((await forgelog.get(path, member)).body.subscribed).toBe(false);
      expect((await forgelog.get(path, other)).status).toBe(404);
      expect((await forgelog.get(path, { token: null })).status).toBe(404);
    }
  });

  test('is not served after the right to see it is lost', async () => {
    const { owner, member, project, path } = await place('rights');
    expect((await forgelog.get(path, member)).status).toBe(200);
    expect((await forgelog.get(path, member)).status).toBe(200);
    await forgelog.delete(`/projects/${project.id}/members/${member.id}`, owner);
    expect((await forgelog.get(path, member)).status).toBe(404);
  });

  test('is not served after a membership expires', async () => {
    const { owner, other, project, path } = await place('ends');
    const until = { user_id: other.id, access_level: 20, expires_at: '2024-05-02' };
    await forgelog.post(`/projects/${project.id}/members`, until, owner);
    expect((await forgelog.get(path, other)).status).toBe(200);
    expect((await forgelog.get(path, other)).status).toBe(200);
    now = Date.UTC(2024, 4, 2);
    expect((await forgelog.get(path, other)).status).toBe(404);
  });

  test('is not served to another credential of the same user without the scope', async () => {
    const { owner, path } = await place('scopes');
    const narrow = await createToken(forgelog, owner.id, ['read_user']);
    expect((await forgelog.get(path, owner)).status).toBe(200);
    expect((await forgelog.get(path, { token: narrow })).status).toBe(403);
    expect((await forgelog.get(path, owner)).status).toBe(200);
  });

  test('is a 304 for a known ETag', async () => {
    const { owner, path } = await place('known');
    const etag = (await forgelog.get(path, owner)).headers.get('etag')!;
    const headers = { 'If-None-Match': etag };
    for (let round = 0; round < 2; round += 1) {
      const { status, text } = await forgelog.get(path, { ...owner, headers });
      expect([status, text]).toEqual([304, '']);
    }
    await forgelog.put(path, { title: 'other' }, owner);
    expect((await forgelog.get(path, { ...owner, headers })).status).toBe(200);
  });

  test('differs by parameters', async () => {
    const { owner, project } = await place('parameters');
    const list = `/projects/${project.id}/issues`;
    for (let round = 0; round < 2; round += 1) {
      expect((await forgelog.get(`${list}?state=opened`, owner)).body).toHaveLength(1);
      expect((await forgelog.get(`${list}?state=closed`, owner)).body).toHaveLength(0);
      expect((await forgelog.get(`${list}?page=2`, owner)).body).toHaveLength(0);
    }
  });
});
