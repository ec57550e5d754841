import { expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { forgelogForTest } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

test('what users say of what they do is seen by all until it ends', async () => {
  let now = new Date('2031-01-01T12:00:00.000Z');
  const forgelog = await forgelogForTest({ clock: () => now });
  const { id, username, token } = await createUser(forgelog);
  const set = (status: object) => must(forgelog.put('/user/status', status, { token }));
  const none = {
    ...{ emoji: null, message: null, availability: null, message_html: null, clear_status_at: null },
  };
  const seen = async () => (await forgelog.get(`/users/${id}/status`, { token: null })).body;
  expect(await must(forgelog.get('/user/status', { token }))).toEqual(none);
  expect(await seen()).toEqual(none);
  const said = await set({ message: 'In **meetings**', availability: 'busy', clear_status_after: '3_hours' });
  expect(said).toEqual({
    emoji: 'speech_balloon',
    message: 'In **meetings**',
    availability: 'busy',
    message_html: 'In <strong>meetings</strong>',
    clear_status_at: '2031-01-01T15:00:00.000Z',
  });
  expect(await seen()).toEqual(said);
  expect((await forgelog.get(`/users/${username}/status`)).body).toEqual(said);
  now = new Date('2031-01-01T15:00:00.000Z');
  expect(await seen()).toEqual(none);
  expect(await set({ emoji: 'coffee' })).toMatchObject({
    emoji: 'coffee',
    message: null,
    clear_status_at: null,
  });
  expect(await set({ emoji: '', message: ' ' })).toEqual(none);
  expect((await forgelog.put('/user/status', { emoji: '<b>' }, { token })).status).toBe(400);
  expect((await forgelog.put('/user/status', { message: 'x'.repeat(101) }, { token })).status).toBe(400);
  expect((await forgelog.put('/user/status', {}, { token: null })).status).toBe(401);
  expect((await forgelog.get('/users/4711/status')).body).toEqual({ message: '404 User Not Found' });
  await must(forgelog.put('/application/settings', { restricted_visibility_levels: ['public'] }));
  expect((await forgelog.get(`/users/${id}/status`, { token: null })).status).toBe(404);
  await must(forgelog.put('/application/settings', { restricted_visibility_levels: [] }));
  await forgelog.delete(`/users/${id}`);
  expect((await forgelog.get(`/users/${id}/status`)).status).toBe(404);
});
