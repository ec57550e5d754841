import { auditEventView } from '@forgelog/contracts/admin/audit-events/audit-event.api.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFixtures, type Fixtures, type Person, type Placed } from '../support/fixtures.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { expectRebuiltAlike } from '../support/rebuilt.ts';

let forgelog: Forgelog;
let make: Fixtures;
let now = Date.parse('2030-01-01T00:00:00Z');
let owner: Person;
let maintainer: Person;
let developer: Person;
let group: Placed;
let project: Placed;

beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => new Date(now) });
  make = createFixtures(forgelog);
  owner = await make.person('olga', { name: 'Olga Owner' });
  maintainer = await make.person('mia', { name: 'Mia' });
  developer = await make.person('dev', { name: 'Dev' });
  group = await make.group('acme', owner);
  project = await make.project('app', group);
  await add(`/groups/${group.id}`, maintainer, 40);
  await add(`/groups/${group.id}`, developer, 30);
});
afterAll(() => forgelog.stop());
beforeEach(() => {
  now += 60_000;
});

const add = (place: string, user: Person, access_level: number, as: Person = owner) =>
  forgelog.post(`${place}/members`, { user_id: user.id, access_level }, as);
const total = async () => Number((await forgelog.get('/audit_events')).headers.get('x-total'));

test('a change of a membership is one entry with all that belongs to it', async () => {
  const amy = await make.person('amy', { name: 'Amy' });
  const before = await total();
  await add(`/projects/${project.id}`, amy, 30, maintainer);
  expect(await total()).toBe(before + 1);
  const { body } = await forgelog.get(`/projects/${project.id}/audit_events`, maintainer);
  expect(body[0]).toEqual({
    id: expect.any(Number),
    author_id: maintainer.id,
    entity_id: project.id,
    entity_type: 'Project',
    details: {
      author_name: 'Mia',
      target_id: amy.id,
      target_type: 'User',
      target_details: 'Amy',
      ip_address: expect.stringMatching(/127\.0\.0\.1$/),
      entity_path: 'acme/app',
      custom_message: 'Added Amy as Developer',
      add: 'user_access',
      to: 'Developer',
    },
    created_at: new Date(now).toISOString(),
  });
  const one = await forgelog.get(`/projects/${project.id}/audit_events/${body[0].id}`, maintainer);
  expect(one.body).toEqual(body[0]);
  await forgelog.put(`/projects/${project.id}/members/${amy.id}`, { access_level: 40 }, maintainer);
  await forgelog.delete(`/projects/${project.id}/members/${amy.id}`, maintainer);
  const [removed, changed] = (await forgelog.get(`/projects/${project.id}/audit_events`, maintainer)).body;
  expect(changed.details).toMatchObject({ change: 'access_level', from: 'Developer', to: 'Maintainer' });
  expect(removed.details).toMatchObject({ custom_message: 'Removed Amy', target_details: 'Amy' });
});

test('nothing refused, and nothing that changes nothing, has an entry', async () => {
  const before = await total();
  const outsider = await make.person('otto');
  const made = await total();
  expect(made - before).toBe(2);
  const members = `/projects/${project.id}/members`;
  const statuses = [
    await add(`/projects/${project.id}`, outsider, 50),
    await add(`/projects/${project.id}`, outsider, 30, developer),
    await add(`/projects/${project.id}`, outsider, 30, outsider),
    await forgelog.put(`${members}/${outsider.id}`, { access_level: 30 }, owner),
    await forgelog.delete(`${members}/${outsider.id}`, owner),
    await forgelog.delete(`/groups/${group.id}/members/${owner.id}`, owner),
    await forgelog.delete(`${members}/${outsider.id}`, { token: null }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([400, 403, 404, 404, 404, 403, 401]);
  const same = { access_level: 30 };
  expect((await forgelog.put(`/groups/${group.id}/members/${developer.id}`, same, owner)).status).toBe(200);
  expect(await total()).toBe(made);
});

test('the administrator behind a sudo is named beside whom he stood for', async () => {
  const eve = await make.person('eve', { name: 'Eve' });
  const sudo = { headers: { Sudo: 'mia' } };
  expect(
    (await forgelog.post(`/projects/${project.id}/members`, { user_id: eve.id, access_level: 10 }, sudo))
      .status,
  ).toBe(201);
  const [entry] = (await forgelog.get(`/projects/${project.id}/audit_events`)).body;
  expect(entry).toMatchObject({ author_id: maintainer.id });
  expect(entry.details).toMatchObject({
    author_name: 'Mia',
    custom_message: 'Added Eve as Guest (through sudo by root)',
    impersonated_by: 'Administrator',
  });
});

test('what follows from a change through sudo names the administrator too, after a rebuild as well', async () => {
  const forgelog = await forgelogForTest();
  const make = createFixtures(forgelog);
  const olga = await make.person('olga', { name: 'Olga' });
  const top = await make.group('top', olga);
  await make.group('sub', null, { parent: top });
  const app = await make.project('app', top);
  const sudo = { headers: { Sudo: 'olga' } };
  expect((await forgelog.delete(`/groups/${top.id}`, sudo)).status).toBe(202);
  await expect
    .poll(async () => (await forgelog.get(`/audit_events?entity_type=Project&entity_id=${app.id}`)).body)
    .toHaveLength(2);
  const told = (await forgelog.get('/audit_events?per_page=4')).body;
  const deleted = told.filter(({ details }: { details: { custom_message: string } }) =>
    details.custom_message.startsWith('Deleted'),
  );
  expect(deleted).toHaveLength(3);
  for (const { author_id, details } of deleted)
    expect({ author_id, ...details }).toMatchObject({
      author_id: olga.id,
      author_name: 'Olga',
      impersonated_by: 'Administrator',
      custom_message: expect.stringContaining('(through sudo by root)'),
    });
  await expectRebuiltAlike(forgelog);
});

test('an administrator who is one no more still sees what they did through sudo', async () => {
  const former = await make.person('former', { name: 'Former' });
  await add(`/projects/${project.id}`, former, 30);
  await forgelog.put(`/users/${former.id}`, { admin: true });
  const zed = await make.person('zed', { name: 'Zed' });
  const token = (
    await forgelog.post(`/users/${former.id}/personal_access_tokens`, { name: 's', scopes: ['api', 'sudo'] })
  ).body.token;
  await forgelog.post(
    `/projects/${project.id}/members`,
    { user_id: zed.id, access_level: 10 },
    { token, headers: { Sudo: 'mia' } },
  );
  await forgelog.put(`/users/${former.id}`, { admin: false });
  const { body } = await forgelog.get(`/projects/${project.id}/audit_events`, former);
  expect(body).toMatchObject([{ author_id: maintainer.id, details: { impersonated_by: 'Former' } }]);
});

test('a deleted or renamed user is told by the name of the time', async () => {
  const gil = await make.person('gil', { name: 'Gil' });
  await add(`/projects/${project.id}`, gil, 40);
  await forgelog.put(`/projects/${project.id}/members/${gil.id}`, { access_level: 30 }, gil);
  await forgelog.put(`/users/${gil.id}`, { name: 'Gilbert', username: 'gilbert' });
  expect((await forgelog.delete(`/users/${gil.id}`)).status).toBe(204);
  const told = (await forgelog.get(`/projects/${project.id}/audit_events`, owner)).body;
  const byHim = told.find(({ author_id }: { author_id: number }) => author_id === gil.id);
  expect(byHim).toMatchObject({ author_id: gil.id, details: { author_name: 'Gil' } });
  const [deleted, renamed] = (await forgelog.get(`/audit_events?entity_type=User&entity_id=${gil.id}`)).body;
  expect(renamed.details).toMatchObject({ target_details: 'Gil', change: 'username, name' });
  expect(deleted).toMatchObject({
    author_id: 1,
    details: { author_name: 'Administrator', target_details: 'Gilbert', entity_path: 'gilbert' },
  });
});

test('secrets are in no entry', async () => {
  const { text } = await forgelog.get('/audit_events?per_page=100');
  expect(text).not.toMatch(/[0-9a-f]{64}|argon2/);
  for (const entry of JSON.parse(text)) expect(auditEventView.safeParse(entry).success).toBe(true);
});

test('the endpoints exist on the tiers that have them', async () => {
  const free = await forgelogForTest({ environment: { EDITION: 'free' } });
  expect((await free.get('/audit_events')).body).toEqual({ error: '404 Not Found' });
  const premium = await forgelogForTest({ environment: { EDITION: 'premium' } });
  expect((await premium.get('/audit_events')).status).toBe(200);
});
