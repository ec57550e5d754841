import { deleteDueEnvironments } from '@forgelog/ci/environments/review-apps.worker.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { type Inhabitant, record, settleMember, settleProject, settleUser } from '../support/inhabitants.ts';

let now = new Date('2026-03-01T12:00:00.000Z');
const DAY = 86_400_000;
const pass = (days: number) => {
  now = new Date(now.getTime() + days * DAY);
};

let forgelog: Forgelog;
let developer: Inhabitant;
let reporter: Inhabitant;
let guest: Inhabitant;
let outsider: Inhabitant;
beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => now });
  developer = await settleUser(forgelog, 'developer');
  reporter = await settleUser(forgelog, 'reporter');
  guest = await settleUser(forgelog, 'guest');
  outsider = await settleUser(forgelog, 'outsider');
});
afterAll(() => forgelog.stop());

let projects = 0;
async function newProject(options: Parameters<typeof settleProject>[2] = {}) {
  const id = await settleProject(forgelog, `env-${++projects}`, options);
  await settleMember(forgelog, id, developer, 30);
  await settleMember(forgelog, id, reporter, 20);
  await settleMember(forgelog, id, guest, 10);
  return { id, path: `/projects/${id}/environments` };
}

test('an environment is created, read, changed, stopped and deleted', async () => {
  const { path } = await newProject();
  const { as } = developer;
  const created = await forgelog.post(path, { name: 'review/x', external_url: 'https://x.example.com' }, as);
  expect(created).toMatchObject({
    status: 201,
    body: {
      name: 'review/x',
      slug: expect.stringMatching(/^review-x-[0-9a-z]{6}$/),
      external_url: 'https://x.example.com',
      state: 'available',
    },
  });
  const one = `${path}/${created.body.id}`;
  expect((await forgelog.get(one, as)).body).toEqual({ ...created.body, last_deployment: null });
  const changed = await forgelog.put(one, { name: 'review/y', external_url: '' }, as);
  expect(changed).toMatchObject({
    status: 200,
    body: { ...created.body, name: 'review/y', external_url: null },
  });
  expect((await forgelog.put(one, {}, as)).body).toEqual(changed.body);
  const stopped = await forgelog.post(`${one}/stop`, undefined, as);
  expect(stopped).toMatchObject({ status: 200, body: { ...changed.body, state: 'stopped' } });
  expect((await forgelog.post(`${one}/stop`, undefined, as)).status).toBe(200);
  expect(await forgelog.delete(one, as)).toMatchObject({ status: 204, text: '' });
  for (const reply of [
    await forgelog.get(one, as),
    await forgelog.put(one, { name: 'z' }, as),
    await forgelog.delete(one, as),
    await forgelog.post(`${one}/stop`, undefined, as),
  ])
    expect(reply).toMatchObject({ status: 404, body: { message: '404 Not found' } });
});

test('what has changed since the caller looked is not deleted', async () => {
  const { path } = await newProject();
  const { body } = await forgelog.post(path, { name: 'staging' });
  const since = (time: Date) => ({ headers: { 'If-Unmodified-Since': time.toUTCString() } });
  const before = new Date(now.getTime() - DAY);
  expect((await forgelog.delete(`${path}/${body.id}`, since(before))).status).toBe(412);
  expect((await forgelog.delete(`${path}/${body.id}`, since(now))).status).toBe(204);
});

test('the list is filtered by name, search and states', async () => {
  const { path } = await newProject();
  const names = ['production', 'staging', 'Stage two'];
  for (const name of names) await forgelog.post(path, { name }, developer.as);
  const all = await forgelog.get(path, reporter.as);
  expect(all.body.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(all.headers.get('x-total')).toBe('3');
  await forgelog.post(`${path}/${all.body[0].id}/stop`, undefined, developer.as);
  const found = async (query: string) =>
    (await forgelog.get(`${path}?${query}`, reporter.as)).body.map(({ name }: { name: string }) => name);
  expect(await found('name=staging')).toEqual(['staging']);
  expect(await found('name=stag')).toEqual([]);
  expect(await found('search=STAG')).toEqual(['staging', 'Stage two']);
  expect(await found('states=stopped')).toEqual(['production']);
  expect(await found('states=available&search=o')).toEqual(['Stage two']);
  expect(await found('per_page=1&page=2')).toEqual(['staging']);
  expect((await forgelog.get(`${path}?name=a&search=b`)).body).toEqual({
    error: 'name, search are mutually exclusive',
  });
  expect((await forgelog.get(`${path}?states=broken`)).body).toEqual({
    error: 'states does not have a valid value',
  });
});

test('what is wrong is refused and leaves nothing behind', async () => {
  const { path } = await newProject();
  expect((await forgelog.post(path, {})).body).toEqual({ error: 'name is missing' });
  expect(await forgelog.post(path, { name: '/' })).toMatchObject({
    status: 400,
    body: { message: { name: [expect.stringContaining('can contain only')] } },
  });
  for (const address of ['x:y', '\u0001javascript:alert(1)', 'https://me:secret@example.org/'])
    expect(await forgelog.post(path, { name: 'linked', external_url: address })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^external_url (is blocked|must)/) },
    });
  const [one, other] = await Promise.all([
    forgelog.post(path, { name: 'same' }),
    forgelog.post(path, { name: 'same' }),
  ]);
  expect([one.status, other.status].sort()).toEqual([201, 400]);
  expect((await forgelog.get(path)).body).toHaveLength(1);
  expect((await forgelog.get(`${path}/x`)).body).toEqual({ error: 'environment_id is invalid' });
});

test('reporters read, developers write, others neither', async () => {
  const { path } = await newProject({ visibility: 'public' });
  const { body } = await forgelog.post(path, { name: 'staging' });
  const one = `${path}/${body.id}`;
  expect((await forgelog.get(one, reporter.as)).status).toBe(200);
  for (const as of [reporter.as, guest.as, outsider.as]) {
    expect((await forgelog.post(path, { name: 'x' }, as)).status).toBe(403);
    expect((await forgelog.put(one, { name: 'x' }, as)).status).toBe(403);
    expect((await forgelog.post(`${one}/stop`, undefined, as)).status).toBe(403);
    expect((await forgelog.delete(one, as)).status).toBe(403);
    expect((await forgelog.delete(`${path}/review_apps`, as)).status).toBe(403);
  }
  expect((await forgelog.get(path, guest.as)).status).toBe(403);
  expect((await forgelog.get(path, { token: null })).status).toBe(401);
  const hidden = await newProject();
  expect((await forgelog.get(hidden.path, outsider.as)).body).toEqual({ message: '404 Project Not Found' });
});

test('stopped review apps of old are deleted a week after they were scheduled', async () => {
  const { path } = await newProject();
  const { as } = developer;
  const make = async (name: string, stop = true) => {
    const { body } = await forgelog.post(path, { name }, as);
    if (stop) await forgelog.post(`${path}/${body.id}/stop`, undefined, as);
    return body.id as number;
  };
  const first = await make('review/first');
  const second = await make('review/second');
  await make('review/running', false);
  await make('production');
  pass(31);
  await make('review/young');
  const reviewApps = async (query = '') => {
    const reply = await forgelog.delete(`${path}/review_apps${query}`, as);
    expect(reply).toMatchObject({ status: 200, body: { unprocessable_entries: [] } });
    return reply.body.scheduled_entries;
  };
  const entry = (id: number, name: string) => ({
    id,
    name,
    slug: expect.stringMatching(/^review-/),
    external_url: null,
  });
  // A dry run is the default and changes nothing.
  expect(await reviewApps()).toEqual([entry(first, 'review/first'), entry(second, 'review/second')]);
  expect(await reviewApps('?limit=1')).toEqual([entry(first, 'review/first')]);
  expect(await reviewApps('?before=2026-02-01T00:00:00Z')).toEqual([]);
  expect(await reviewApps(`?before=${new Date(now.getTime() + DAY).toISOString()}`)).toHaveLength(3);
  expect(await reviewApps('?dry_run=false&limit=1')).toEqual([entry(first, 'review/first')]);
  expect(await reviewApps('?dry_run=false')).toEqual([entry(second, 'review/second')]);
  expect(await reviewApps('?dry_run=false')).toEqual([]);
  const names = async () =>
    (await forgelog.get(path, as)).body.map(({ name }: { name: string }) => name).sort();
  pass(6.99);
  await deleteDueEnvironments(forgelog.portsOf('ci'));
  expect(await names()).toHaveLength(5);
  pass(0.01);
  await deleteDueEnvironments(forgelog.portsOf('ci'));
  expect(await names()).toEqual(['production', 'review/running', 'review/young']);
  const log = await forgelog.system.store.readAll({ after: '', limit: 10_000 });
  const ofType = (type: string) => log.filter((event) => event.type === type);
  const causes = ofType('EnvironmentDeleted')
    .map(({ metadata: { actorId, causationId } }) => ({ actorId, causationId }))
    .filter(({ actorId }) => actorId === null);
  expect(causes).toEqual(
    ofType('EnvironmentDeletionScheduled').map(({ id }) => ({ actorId: null, causationId: id })),
  );
  const head = await forgelog.system.store.head();
  await deleteDueEnvironments(forgelog.portsOf('ci'));
  expect(await forgelog.system.store.head()).toBe(head);
  for (const query of ['limit=0', 'limit=1001', 'before=soon', 'dry_run=perhaps'])
    expect((await forgelog.delete(`${path}/review_apps?${query}`, as)).status).toBe(400);
});

test('the environments of a deleted project are gone from the sweep as well', async () => {
  const { id, path } = await newProject();
  const { body } = await forgelog.post(path, { name: 'review/z' });
  await forgelog.post(`${path}/${body.id}/stop`);
  pass(31);
  await forgelog.delete(`${path}/review_apps?dry_run=false`);
  await record(forgelog, `project-${id}`, 1, {
    type: 'ProjectDeleted',
    data: { projectId: id, namespaceId: 1, fullPath: 'root/gone' },
  });
  pass(8);
  // Who is answered so has read models that know it.
  expect((await forgelog.get(path)).status).toBe(404);
  // What follows from a deletion is appended by policies.
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  const head = await forgelog.system.store.head();
  await deleteDueEnvironments(forgelog.portsOf('ci'));
  expect(await forgelog.system.store.head()).toBe(head);
});
