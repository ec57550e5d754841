import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGroup, createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { framesOf, type ReceivedEvent, readStream } from '../support/read-stream.ts';

let forgelog: Forgelog;
let world: Awaited<ReturnType<typeof populate>>;
beforeAll(async () => {
  forgelog = await startForgelog();
  world = await populate();
});
afterAll(() => forgelog.stop());

const made = async (path: string, fields: object, token?: string): Promise<{ id: number; iid: number }> => {
  const { status, body } = await forgelog.post(path, fields, token === undefined ? {} : { token });
  expect([path, status, body]).toEqual([path, 201, expect.anything()]);
  return body;
};

const join = (place: string, { id }: TestUser, access_level: number) =>
  made(`${place}/members`, { user_id: id, access_level });

/** A group with a subgroup, and things that its maintainers may and may not read. */
async function populate() {
  const top = await createGroup(forgelog, { visibility: 'private' });
  const sub = await createGroup(forgelog, { visibility: 'private', parent_id: top.id });
  const own = await made('/projects', { name: 'own', namespace_id: sub.id });
  const closed = await made('/projects', { name: 'closed', namespace_id: top.id });
  const other = await made('/projects', { name: 'other' });
  const maintainer = await createUser(forgelog);
  const member = await createUser(forgelog);
  const owner = await createUser(forgelog);
  await join(`/projects/${own.id}`, maintainer, 40);
  await join(`/projects/${own.id}`, member, 30);
  await join(`/groups/${top.id}`, owner, 50);
  for (const { id } of [own, closed, other]) {
    await made(`/projects/${id}/issues`, { title: `open ${id}`, assignee_ids: [member.id] });
    await made(`/projects/${id}/issues`, { title: `confidential ${id}`, confidential: true });
    await made(
      `/projects/${id}/issues`,
      { title: `by member ${id}` },
      id === own.id ? member.token : undefined,
    );
  }
  await forgelog.put(`/projects/${closed.id}`, { issues_access_level: 'disabled' });
  await forgelog.post(`/projects/${own.id}/star`, {}, { token: member.token });
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  return { top, sub, own, closed, other, maintainer, member, owner };
}

const streamOf = (place: string, { token }: TestUser, query = '') =>
  readStream(forgelog, query, { path: `${place}/event_stream`, token });
const project = () => `/projects/${world.own.id}`;
const group = () => `/groups/${world.top.id}`;

test('a maintainer of a project reads what happens in it, and nothing else', async () => {
  const all = await readStream(forgelog, `?project_id=${world.own.id}`);
  const sent = await streamOf(project(), world.maintainer);
  const hidden = /^(Todo|ProjectStarred|RepositoryMeasured)/;
  expect(all.some(({ type }) => type === 'TodoCreated')).toBe(true);
  expect(sent.map(({ id }) => id)).toEqual(all.filter(({ type }) => !hidden.test(type)).map(({ id }) => id));
  expect(sent.map(({ data }) => data.title)).toContain(`confidential ${world.own.id}`);
});

test('an event of a place says nothing of how somebody reached the server', async () => {
  for (const sent of [await streamOf(project(), world.maintainer), await streamOf(group(), world.owner)]) {
    expect(sent.length).toBeGreaterThan(5);
    const names = new Set(sent.flatMap((event) => Object.keys(event)));
    for (const name of [
      'clientaddress',
      'useragent',
      'credentialid',
      'credentialkind',
      'requestid',
      'onbehalfby',
    ])
      expect(names).not.toContain(name);
    const data = new Set(sent.flatMap((event) => Object.keys(event.data)));
    for (const name of ['storage', 'pushOptions']) expect(data).not.toContain(name);
    // The address of the instance itself is local in tests.
    const shown = sent.map(({ dataschema: _, ...event }) => event);
    expect(JSON.stringify(shown)).not.toMatch(/@example\.org|127\.0\.0\.1/);
  }
});

test('an owner of a group reads what is below it, apart from what a project has closed', async () => {
  const sent = await streamOf(group(), world.owner);
  const { own, closed, other, top, sub } = world;
  const projects = new Set(sent.flatMap(({ data }) => (data.projectId as number) ?? []));
  expect([...projects].sort()).toEqual([own.id, closed.id].sort());
  const groups = new Set(sent.flatMap(({ data }) => (data.groupId as number) ?? []));
  expect([...groups].sort()).toEqual([top.id, sub.id].sort());
  const issues = sent.filter(({ type }) => type === 'IssueOpened').map(({ data }) => data.projectId);
  expect(new Set(issues)).toEqual(new Set([own.id]));
  expect(JSON.stringify(sent)).not.toContain(` ${other.id}"`);
});

test.each([
  ['a developer', () => [`${project()}/event_stream`, world.member], 403],
  ['a stranger of the project', () => [`/projects/${world.closed.id}/event_stream`, world.maintainer], 404],
  ['a member of a project below the group', () => [`${group()}/event_stream`, world.maintainer], 403],
  ['the stream of everything', () => ['/event_stream', world.owner], 403],
] as [string, () => [string, TestUser], number][])('%s is refused', async (_, asked, status) => {
  const [path, { token }] = asked();
  expect((await forgelog.get(path, { token })).status).toBe(status);
});

test('positions resume without a gap, compare with nothing, and hold at their place alone', async () => {
  const sent = await streamOf(project(), world.maintainer);
  const rest = await streamOf(project(), world.maintainer, `?after=${sent[3]!.position}`);
  expect(rest.map(({ id }) => id)).toEqual(sent.slice(4).map(({ id }) => id));
  const again = await streamOf(project(), world.maintainer);
  expect(again.map(({ position }) => position)).not.toEqual(sent.map(({ position }) => position));
  const lengths = new Set([...sent, ...again].map(({ position }) => position.length));
  expect(lengths.size).toBe(1);
  const [{ position: ofLog }] = (await readStream(forgelog, '?limit=1')) as [ReceivedEvent];
  const elsewhere = (await streamOf(group(), world.owner))[0]!.position;
  for (const after of [ofLog, elsewhere, `${sent[0]!.position}A`, 'x'.repeat(300)]) {
    const { status } = await forgelog.get(`${project()}/event_stream?after=${after}`, {
      token: world.maintainer.token,
    });
    expect([after, status]).toEqual([after, 400]);
  }
});

test('pages have sealed positions, and end where the stream does', async () => {
  const sent = await streamOf(project(), world.maintainer);
  const ids: string[] = [];
  for (let path = `${project()}/event_stream?limit=4`; ; ) {
    const headers = { Accept: 'application/x-ndjson' };
    const page = await forgelog.get(path, { headers, token: world.maintainer.token });
    ids.push(
      ...page.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).id),
    );
    path = /api\/v4([^>]+)>; rel="next"/.exec(page.headers.get('link')!)![1]!;
    if (page.headers.get('x-caught-up') === 'true') break;
  }
  expect(ids).toEqual(sent.map(({ id }) => id));
});

/** What a reader is sent after it has caught up, until the stream ends or `enough` came. */
async function live(place: string, reader: TestUser, act: () => Promise<unknown>, enough = Infinity) {
  const seen: { event?: string; comment?: string; data?: string }[] = [];
  let hasCaughtUp = false;
  for await (const frame of framesOf(forgelog, '', { path: `${place}/event_stream`, token: reader.token })) {
    if (hasCaughtUp) seen.push(frame);
    if (frame.event === 'caught_up') {
      hasCaughtUp = true;
      await act();
    }
    if (seen.length >= enough) break;
  }
  return seen;
}

test('what happens elsewhere sends nothing', async () => {
  const seen = await live(
    project(),
    world.maintainer,
    async () => {
      for (let count = 0; count < 3; count++)
        await made(`/projects/${world.other.id}/issues`, { title: 'elsewhere' });
      await sleep(100);
      await made(`/projects/${world.own.id}/issues`, { title: 'here' });
    },
    1,
  );
  expect(seen.map(({ event }) => event)).toEqual(['IssueOpened']);
  expect(seen[0]!.data).toContain('here');
});

test('a stream of a place ends with the role, before the next event', async () => {
  const [one, two] = [await createUser(forgelog), await createUser(forgelog)];
  await join(project(), one, 40);
  await join(group(), two, 40);
  const ends: [string, TestUser, () => Promise<unknown>][] = [
    [project(), one, () => forgelog.put(`${project()}/members/${one.id}`, { access_level: 30 })],
    [group(), two, () => forgelog.delete(`${group()}/members/${two.id}`)],
  ];
  for (const [place, reader, end] of ends) {
    const seen = await live(place, reader, async () => {
      await made(`/projects/${world.own.id}/issues`, { title: `before ${reader.id}` });
      await end();
      await made(`/projects/${world.own.id}/issues`, { title: `after ${reader.id}` });
    });
    expect(JSON.stringify(seen)).toContain(`before ${reader.id}`);
    expect(JSON.stringify(seen)).not.toContain(`after ${reader.id}`);
    expect(seen.at(-1)!.comment).toMatch(/^the stream ends, since/);
  }
});

test('a feature that a project closes ends its events, and not the stream', async () => {
  const { id } = await made('/projects', { name: 'closing', namespace_id: world.sub.id });
  const seen = await live(
    group(),
    world.owner,
    async () => {
      await made(`/projects/${id}/issues`, { title: 'while open' });
      const { body: issue } = await forgelog.post(`/projects/${id}/issues`, { title: 'to be closed' });
      await forgelog.put(`/projects/${id}`, { issues_access_level: 'disabled' });
      expect(issue.iid).toBe(2);
      await forgelog.delete(`/projects/${id}`);
    },
    4,
  );
  expect(seen.map(({ event }) => event)).toEqual([
    'IssueOpened',
    'IssueOpened',
    'ProjectUpdated',
    'ProjectDeleted',
  ]);
});

test('the stream of a deleted project ends', async () => {
  const { id } = await made('/projects', { name: 'short', namespace_id: world.sub.id });
  const seen = await live(`/projects/${id}`, world.owner, () => forgelog.delete(`/projects/${id}`));
  expect(seen.map(({ event }) => event).filter(Boolean)).toEqual([]);
  expect(seen.at(-1)!.comment).toMatch(/^the stream ends, since/);
});
