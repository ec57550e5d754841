import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '../support/must.ts';
import { type Answer, inBatches, send } from '../support/wire.ts';
import { createWorld, type World } from '../support/world.ts';
import { addressOf, validCall } from './valid-calls.ts';

/** In the texts of all that is confidential here, and nowhere else. */
const CANARY = 'xyzzycanary';

let world: World;
let issues: string;
beforeAll(async () => {
  world = await createWorld();
  issues = `/projects/${world.places.public.projectId}/issues`;
});
afterAll(() => world.forgelog.stop());

const NON_READERS = ['anonymous', 'outsider', 'external', 'guest'] as const;
const tokenOf = (who: (typeof NON_READERS)[number]) => (who === 'anonymous' ? null : world.people[who].token);

/** Every question to which an answer could tell of a confidential issue: all that is read, and each filter of issues. */
async function questions(): Promise<string[]> {
  const { places, people } = world;
  const asked: string[] = [];
  for (const endpoint of endpoints) {
    if (endpoint.method !== 'GET' || endpoint.id.endsWith('event-stream') || endpoint.id.startsWith('repo-'))
      continue;
    const { inPath, rest } = await validCall(endpoint, world, places.public);
    // What the one did who wrote what is confidential.
    if (endpoint.path.startsWith('/users/:'))
      for (const name of Object.keys(inPath)) inPath[name] = people.reporter.id;
    asked.push(addressOf(endpoint, inPath, rest));
  }
  const filters = [
    'confidential=true',
    `search=${CANARY}`,
    `search=${CANARY}&in=description`,
    `labels=${CANARY}`,
    'labels=Any',
    'iids[]=3',
    'weight=7',
    'due_date=0',
    'state=closed',
    'order_by=updated_at',
    'order_by=weight&sort=asc',
    `author_id=${people.reporter.id}`,
    `assignee_id=${people.developer.id}`,
    'assignee_id=Any',
    'not[labels]=other',
    `not[author_id]=1`,
    'updated_after=2020-01-01',
    'per_page=1&page=2',
  ];
  for (const filter of filters)
    asked.push(
      `/api/v4${issues}?${filter}`,
      `/api/v4/issues?scope=all&${filter}`,
      `/api/v4/groups/${places.public.groupId}/issues?${filter}`,
    );
  for (const filter of [
    'target_type=issue',
    'target_type=note',
    'action=created',
    'action=closed',
    'action=commented',
  ])
    asked.push(
      `/api/v4/projects/${places.public.projectId}/events?${filter}`,
      `/api/v4/users/${people.reporter.id}/events?${filter}`,
      `/api/v4/events?scope=all&${filter}`,
    );
  return asked;
}

function seen({ status, headers, text }: Answer): string {
  const { date: _, 'x-request-id': __, etag: ___, ...rest } = headers;
  // The addresses of other pages repeat what the caller himself has asked for.
  if (typeof rest.link === 'string') rest.link = rest.link.replaceAll(CANARY, '');
  // A job that runs tells for how long.
  const still = text.replace(/"duration":[\d.]+/g, '"duration":0');
  delete rest['content-length'];
  return JSON.stringify({ status, headers: rest, text: still });
}

async function askAll(asked: readonly string[]): Promise<Map<string, string>> {
  const cells = NON_READERS.flatMap((who) => asked.map((path) => ({ who, path })));
  const answers = await inBatches(cells, async ({ who, path }) => {
    const answer = await send(world.forgelog, 'GET', path, { token: tokenOf(who) });
    return [`${who} ${path}`, seen(answer)] as const;
  });
  return new Map(answers);
}

/** What each answer was before, and is after; where they differ. */
async function tracesOf(asked: readonly string[], secretly: () => Promise<void>): Promise<string[]> {
  // What makes the questions has consequences of its own: pipelines of a pushed branch.
  await world.forgelog.system.projectors.policiesIdle();
  const before = await askAll(asked);
  await secretly();
  await world.forgelog.system.projectors.policiesIdle();
  const after = await askAll(asked);
  return [...after]
    .filter(([what, text]) => before.get(what) !== text || text.includes(CANARY))
    .map(([what, text]) => `${what}:\n  ${before.get(what)}\n  ${text}`);
}

test('whatever happens to a confidential issue, no answer to a non-reader changes by a byte', async () => {
  const { forgelog, people } = world;
  const as = people.reporter.as;
  const traces = await tracesOf(await questions(), async () => {
    const title = `Confidential ${CANARY}`;
    const more = { labels: CANARY, due_date: '2030-01-01', weight: 7, assignee_ids: [people.developer.id] };
    const { iid } = await must(
      forgelog.post(
        issues,
        { title, description: `@the-guest ${CANARY}\n- [x] ${CANARY}`, confidential: true, ...more },
        as,
      ),
    );
    const one = `${issues}/${iid}`;
    await must(forgelog.post(`${one}/notes`, { body: `A note ${CANARY}` }, as));
    const thread = await must(forgelog.post(`${one}/discussions`, { body: `A thread ${CANARY}` }, as));
    await must(forgelog.post(`${one}/discussions/${thread.id}/notes`, { body: `A reply ${CANARY}` }, as));
    await must(forgelog.post(`${one}/time_estimate`, { duration: '3h' }, as));
    await must(forgelog.post(`${one}/add_spent_time`, { duration: '1h' }, as));
    await must(forgelog.post(`${one}/todo`, undefined, as));
    await must(forgelog.put(one, { title: `${title} changed` }, as));
    await must(forgelog.put(one, { state_event: 'close' }, as));
    const gone = await must(forgelog.post(issues, { title: `${CANARY} soon gone`, confidential: true }, as));
    await must(forgelog.delete(`${issues}/${gone.iid}`));
  });
  expect(traces).toEqual([]);
});

test('a confidential note on an open issue leaves no trace for a non-reader', async () => {
  const { forgelog, people, places } = world;
  const traces = await tracesOf(await questions(), async () => {
    const body = `Between us ${CANARY}`;
    const notes = `${issues}/${places.public.issueIid}/notes`;
    await must(forgelog.post(notes, { body, confidential: true }, people.reporter.as));
    const gone = await must(forgelog.post(notes, { body, confidential: true }, people.reporter.as));
    await must(forgelog.delete(`${notes}/${gone.id}`, people.reporter.as));
  });
  expect(traces).toEqual([]);
});

test('what becomes confidential is gone from every answer to a non-reader', async () => {
  const { forgelog, people } = world;
  const as = people.reporter.as;
  const { iid } = await must(forgelog.post(issues, { title: `Open ${CANARY}`, description: CANARY }, as));
  await must(forgelog.post(`${issues}/${iid}/notes`, { body: CANARY }, as));
  for (const who of ['outsider', 'guest'] as const)
    await must(forgelog.post(`${issues}/${iid}/todo`, undefined, people[who].as));
  const asked = [
    ...(await questions()),
    ...['', '/notes', '/discussions', '/time_stats'].map((rest) => `/api/v4${issues}/${iid}${rest}`),
  ];
  const holding = (answers: Map<string, string>) =>
    [...answers].filter(([, text]) => text.includes(CANARY)).map(([what]) => what);
  expect(holding(await askAll(asked)).length).toBeGreaterThan(NON_READERS.length);
  await must(forgelog.put(`${issues}/${iid}`, { confidential: true }, as));
  await forgelog.system.projectors.policiesIdle();
  expect(holding(await askAll(asked))).toEqual([]);
});

test('who loses his membership loses what it let him read', async () => {
  const { forgelog, people, places } = world;
  const { outsider } = people;
  const members = `/projects/${places.private.projectId}/members`;
  await must(forgelog.post(members, { user_id: outsider.id, access_level: 20 }));
  const one = `/projects/${places.private.projectId}/issues/${places.private.confidentialIid}`;
  await must(forgelog.post(`${one}/todo`, undefined, outsider.as));
  expect((await forgelog.get('/todos', outsider.as)).text).toContain('Hidden private');
  await must(forgelog.delete(`${members}/${outsider.id}`));
  for (const path of [
    one,
    '/todos',
    '/issues?scope=all',
    '/events',
    `/projects/${places.private.projectId}`,
  ]) {
    const answer = await forgelog.get(path, outsider.as);
    expect(answer.text).not.toContain('Hidden private');
    if (answer.status === 200) expect(answer.text).not.toContain('private-group');
  }
});

test('the count of notes is that of the notes which everybody reads', async () => {
  const { forgelog, people } = world;
  const as = people.reporter.as;
  const { iid } = await must(forgelog.post(issues, { title: 'Counted' }, as));
  const count = async () => (await must(forgelog.get(`${issues}/${iid}`, as))).user_notes_count;
  const notes = `${issues}/${iid}/notes`;
  const { id } = await must(forgelog.post(notes, { body: 'For all' }, as));
  expect(await count()).toBe(1);
  await must(forgelog.put(`${notes}/${id}`, { confidential: true }, as));
  expect(await count()).toBe(0);
  await must(forgelog.put(`${notes}/${id}`, { confidential: false }, as));
  expect(await count()).toBe(1);
  await must(forgelog.put(`${notes}/${id}`, { confidential: true }, as));
  await must(forgelog.delete(`${notes}/${id}`, as));
  expect(await count()).toBe(0);
});
