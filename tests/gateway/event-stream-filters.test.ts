import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { framesOf, type ReceivedEvent, readStream } from '../support/read-stream.ts';

let now = new Date('2026-03-01T12:00:00Z');
let forgelog: Forgelog;
let world: Awaited<ReturnType<typeof populate>>;
let all: ReceivedEvent[];
beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => now });
  world = await populate();
  all = await readStream(forgelog);
});
afterAll(() => forgelog.stop());

/** A group with a subgroup, a project in each and one outside, with issues; one project and one group are deleted. */
async function populate() {
  const make = async (path: string, fields: object): Promise<number> => {
    const { status, body } = await forgelog.post(path, fields);
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id;
  };
  const group = await make('/groups', { name: 'top', path: 'top' });
  const sub = await make('/groups', { name: 'sub', path: 'sub', parent_id: group });
  const gone = await make('/groups', { name: 'gone', path: 'gone', parent_id: group });
  const inGroup = await make('/projects', { name: 'in-group', namespace_id: group });
  const inSub = await make('/projects', { name: 'in-sub', namespace_id: sub });
  const deleted = await make('/projects', { name: 'deleted', namespace_id: sub });
  const outside = await make('/projects', { name: 'outside' });
  now = new Date('2026-03-02T12:00:00Z');
  const user = await createUser(forgelog, { admin: true });
  const token = await createToken(forgelog, user.id, ['api']);
  for (const id of [inGroup, inSub, outside]) {
    await forgelog.post(`/projects/${id}/issues`, { title: `of ${id}` });
    await forgelog.post(`/projects/${id}/issues`, { title: `by other of ${id}` }, { token });
  }
  await forgelog.post(`/projects/${deleted}/issues`, { title: 'goes with its project' });
  await forgelog.delete(`/projects/${deleted}`);
  await forgelog.delete(`/groups/${gone}`);
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  return { group, sub, inGroup, inSub, deleted, outside, user, token };
}

type Filter = [name: string, query: () => string, passes: (event: ReceivedEvent) => boolean];
const within = ({ data }: ReceivedEvent) =>
  [world.inGroup, world.inSub].includes(data.projectId as number) ||
  [data.groupId, data.namespaceId, data.parentId].some((id) => id === world.group || id === world.sub);
const FILTERS: Filter[] = [
  [
    'types',
    () => 'types=IssueOpened,ProjectCreated',
    ({ type }) => /^(IssueOpened|ProjectCreated)$/.test(type),
  ],
  ['types as a list', () => 'types[]=IssueOpened', ({ type }) => type === 'IssueOpened'],
  ['project', () => `project_id=${world.outside}`, ({ data }) => data.projectId === world.outside],
  ['deleted project', () => `project_id=${world.deleted}`, ({ data }) => data.projectId === world.deleted],
  ['group', () => `group_id=${world.group}`, within],
  ['actor', () => `actor_id=${world.user.id}`, ({ actorid }) => actorid === world.user.id],
  ['from', () => 'from=2026-03-02', ({ time }) => time >= '2026-03-02'],
  ['until', () => 'until=2026-03-02', ({ time }) => time < '2026-03-02'],
  [
    'all at once',
    () => `project_id=${world.inSub}&actor_id=1&types=IssueOpened&from=2026-03-02T11:00:00Z`,
    ({ type, data, actorid }) => type === 'IssueOpened' && data.projectId === world.inSub && actorid === 1,
  ],
];

test('the events of a deleted project tell what ended with it', async () => {
  const events = await readStream(forgelog, `?project_id=${world.deleted}`);
  expect(events.filter(({ type }) => type.endsWith('RecordsEnded')).map(({ data }) => data)).toEqual([
    { ownerKind: 'Project', ownerId: world.deleted, projectId: world.deleted, counts: { Issue: 1 } },
  ]);
});

test.each(FILTERS)('%s: a stream and pages send what passes, and nothing else', async (_, query, passes) => {
  const wanted = all.filter(passes);
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.length).toBeLessThan(all.length);
  const sent = (await readStream(forgelog, `?${query()}`)).map(({ id }) => id);
  expect(sent).toEqual(wanted.map(({ id }) => id));
  const paged: string[] = [];
  for (let path = `/event_stream?${query()}&limit=2`; ; ) {
    const { status, text, headers } = await forgelog.get(path, {
      headers: { Accept: 'application/x-ndjson' },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = text.split('\n').slice(0, -1);
    expect(lines.length).toBeLessThanOrEqual(2);
    paged.push(...lines.map((line) => JSON.parse(line).id));
    const [, link] = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(headers.get('link')!)!;
    expect(link).toContain(encodeURIComponent(headers.get('x-next-position')!));
    if (headers.get('x-caught-up') === 'true') break;
    path = link!;
  }
  expect(paged).toEqual(sent);
});

test.each([
  ['types=NoSuchEvent', 'types has no event type'],
  ['types=IdsReserved', 'types has no event type'],
  [`types=${'IssueOpened,'.repeat(201)}`, 'types has too many items (maximum is 200)'],
  [`types=${'x'.repeat(5000)}`, 'types'],
  ['project_id=x', 'project_id is invalid'],
  ['project_id=0', 'project_id has a value not allowed'],
  ['group_id=1e3', 'group_id is invalid'],
  ['actor_id=-1', 'actor_id has a value not allowed'],
  ['from=yesterday', 'from is invalid'],
  ['from=2026-03-02&until=2026-03-01', 'until is not after from'],
  ['limit=0', 'limit has a value not allowed'],
  ['limit=10001', 'limit has a value not allowed'],
  ['subscriber=a%20b', 'subscriber is invalid'],
  [`subscriber=${'a'.repeat(41)}`, 'subscriber is too long'],
])('a filter that cannot be met is refused: %#', async (query, problem) => {
  const { status, text } = await forgelog.get(`/event_stream?${query}`);
  expect([status, text]).toEqual([400, expect.stringContaining(problem)]);
  expect(text.length).toBeLessThan(400);
});

test('a stream with a limit ends after it, and goes on from there', async () => {
  const ids: string[] = [];
  for (let after = ''; ids.length < 12; ) {
    const part: ReceivedEvent[] = [];
    for await (const { data, event } of framesOf(forgelog, `?limit=5&after=${after}`))
      if (data && event !== 'caught_up') part.push(JSON.parse(data));
    expect(part).toHaveLength(5);
    after = part.at(-1)!.position;
    ids.push(...part.map(({ id }) => id));
  }
  expect(ids).toEqual(all.slice(0, 15).map(({ id }) => id));
});

test('a stream until a moment that has passed ends by itself', async () => {
  const comments: string[] = [];
  for await (const { comment } of framesOf(forgelog, '?until=2026-03-02'))
    if (comment) comments.push(comment);
  expect(comments.at(-1)).toBe('the stream ends at `until`');
});

test('a reader is told once when it has caught up, and then gets what happens', async () => {
  const seen: string[] = [];
  const last = all.at(-1)!.position;
  for await (const { event, id, data } of framesOf(forgelog, `?after=${last}&types=ProjectCreated`)) {
    if (!event) continue;
    seen.push(event);
    if (event === 'caught_up') {
      expect([id, JSON.parse(data!)]).toEqual([last, { position: last }]);
      await forgelog.post(`/projects/${world.outside}/issues`, { title: 'passed over' });
      await forgelog.post('/projects', { name: 'caught' });
    } else break;
  }
  expect(seen).toEqual(['caught_up', 'ProjectCreated']);
});

test.each(['gzip', 'zstd'])('a stream in %s is sent as it happens', async (coding) => {
  const answer = await fetch(`${forgelog.url}/api/v4/event_stream?limit=3`, {
    headers: { 'PRIVATE-TOKEN': forgelog.rootToken, 'Accept-Encoding': coding },
  });
  expect(answer.headers.get('content-encoding')).toBe(coding);
  expect(answer.headers.get('vary')).toMatch(/Accept-Encoding/);
  expect((await answer.text()).match(/^id: p/gm)).toHaveLength(3);
  const headers = { 'Accept-Encoding': coding };
  let begun = false;
  const [{ position }] = (await readStream(forgelog)).slice(-1) as [ReceivedEvent];
  for await (const { event } of framesOf(forgelog, `?after=${position}`, { headers })) {
    if (event === 'caught_up') {
      begun = true;
      await forgelog.post('/projects', { name: `live-${coding}` });
    } else if (event) break;
  }
  expect(begun).toBe(true);
});

test('without an encoding that it knows, a stream is sent as it is', async () => {
  const headers = { 'Accept-Encoding': 'br;q=1, *;q=0.1, identity;q=0.5' };
  const [frame] = await framesOf(forgelog, '?limit=1', { headers })
    .next()
    .then(({ value }) => [value]);
  expect(frame.comment).toBe('Forgelog event stream');
});
