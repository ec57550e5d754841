import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueToken } from '@forgelog/admin/access-tokens/issue-token.commands.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createGroup, createUser } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function worldOf(forgelog: Forgelog) {
  const group = await createGroup(forgelog);
  const project = await must(forgelog.post('/projects', { name: 'p', namespace_id: group.id }));
  const [inGroup, inProject] = [`/groups/${group.id}`, `/projects/${project.id}`];
  const make = (place: string, more = {}) =>
    must(forgelog.post(`${place}/access_tokens`, { name: 'ci', scopes: ['api'], ...more }));
  const goneSoon = (userId: number) =>
    eventually('the bot is deleted', async () => (await forgelog.get(`/users/${userId}`)).status, {
      until: (status) => status === 404,
    });
  return { inGroup, inProject, make, goneSoon };
}

test('a bot works in its place alone, by API and until its token is revoked', async () => {
  const forgelog = await forgelogForTest();
  const { inProject, make } = await worldOf(forgelog);
  const elsewhere = await must(forgelog.post('/projects', { name: 'q', visibility: 'internal' }));
  const { token, id, user_id } = await make(inProject, { access_level: 30 });
  expect((await forgelog.get('/user', { token })).body).toMatchObject({ id: user_id, bot: true });
  expect((await forgelog.post(`${inProject}/issues`, { title: 'By a bot' }, { token })).status).toBe(201);
  expect((await forgelog.get(`/projects/${elsewhere.id}`, { token })).status).toBe(404);
  await must(forgelog.delete(`${inProject}/access_tokens/${id}`));
  expect((await forgelog.get('/user', { token })).status).toBe(401);
  const members = await must(forgelog.get(`${inProject}/members`));
  expect(members.map((member: { id: number }) => member.id)).not.toContain(user_id);
  expect((await must(forgelog.get(`${inProject}/issues`)))[0].author.username).toBe('ghost');
});

test('a bot goes with its place, on the day of its token, and when an administrator revokes it', async () => {
  let now = Date.parse('2026-03-08T12:00:00Z');
  const forgelog = await forgelogForTest({ clock: () => new Date(now) });
  const { inGroup, inProject, make, goneSoon } = await worldOf(forgelog);
  const [ofProject, ofGroup] = [await make(inProject), await make(inGroup)];
  const short = await make(inGroup, { expires_at: '2026-03-10' });
  const revoked = await make(inGroup);
  await must(forgelog.delete(`/personal_access_tokens/${revoked.id}`));
  await goneSoon(revoked.user_id);
  await must(forgelog.delete(inProject));
  await goneSoon(ofProject.user_id);
  now += 2 * DAY_MS;
  await goneSoon(short.user_id);
  expect(await must(forgelog.get(`${inGroup}/access_tokens`))).toMatchObject([{ id: ofGroup.id }]);
  await must(forgelog.delete(inGroup));
  await goneSoon(ofGroup.user_id);
  expect((await forgelog.get('/user', { token: ofGroup.token })).status).toBe(401);
});

test('a token that a crash left without its bot is revoked after an hour', async () => {
  let now = Date.parse('2026-03-08T22:30:00Z');
  const forgelog = await forgelogForTest({ clock: () => new Date(now) });
  const { inProject, make } = await worldOf(forgelog);
  const projectId = Number(inProject.split('/')[2]);
  const wanted = { name: 'ci', scopes: ['api'] as const, expiresAt: null, impersonation: false };
  const ports = forgelog.portsOf('admin');
  const ofNobody = { ...wanted, userId: await ports.ids.next('user'), projectId, groupId: null };
  await issueToken(ports, ofNobody, SYSTEM_METADATA);
  const kept = await make(inProject);
  // The sweep comes with the day too.
  now += 2 * HOUR_MS;
  await eventually('it is revoked', () => must(forgelog.get(`${inProject}/access_tokens`)), {
    until: (tokens) => tokens.length === 1 && tokens[0].id === kept.id,
  });
});

test('an impersonation token acts as its user, and lets nobody in where impersonation is off', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-impersonation-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const start = (environment = {}) => startForgelog({ dataDir, environment });
  let forgelog = await start();
  const ada = await createUser(forgelog);
  const wanted = { name: 'support', scopes: ['api'] };
  const { token } = await must(forgelog.post(`/users/${ada.id}/impersonation_tokens`, wanted));
  expect((await forgelog.get('/user', { token })).body.id).toBe(ada.id);
  await forgelog.stop();
  forgelog = await start({ IMPERSONATION: 'off' });
  expect((await forgelog.get('/user', { token })).status).toBe(401);
  expect((await forgelog.get('/user')).status).toBe(200);
  await forgelog.stop();
});
