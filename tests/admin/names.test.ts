import { emailStream, NameTakenError, routeStream } from '@forgelog/directory/name.decider.ts';
import { createNames } from '@forgelog/directory/names.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { forgelogForTest } from '../support/forgelog.ts';

const MINUTE = 60_000;

test('a claim that broke off holds a name for a minute, one that is borne for good', async () => {
  let now = new Date('2026-01-01T00:00:00Z');
  const forgelog = await forgelogForTest({ clock: () => now });
  const names = createNames(forgelog.system.ports);
  const claim = (stream: string, id: number) => names.claim(stream, { kind: 'user', id }, SYSTEM_METADATA);
  const ada = await createUser(forgelog, { username: 'ada' });
  const lost = routeStream(null, 'lost');
  await claim(lost, 98);
  now = new Date(now.getTime() + MINUTE);
  await expect(claim(lost, 99)).rejects.toThrow(NameTakenError);
  // A claim that is made again is young again.
  await claim(lost, 98);
  now = new Date(now.getTime() + MINUTE);
  await expect(claim(lost, 99)).rejects.toThrow(NameTakenError);
  now = new Date(now.getTime() + 1);
  await claim(lost, 99);
  for (const stream of [routeStream(null, 'ADA'), emailStream(ada.email)])
    await expect(claim(stream, 99)).rejects.toThrow(NameTakenError);
  // A rename that ended before it let go of the old name.
  await forgelog.put(`/users/${ada.id}`, { username: 'lovelace' });
  await claim(routeStream(null, 'ada'), ada.id);
  expect((await forgelog.post('/groups', { name: 'x', path: 'ada' })).status).toBe(400);
  now = new Date(now.getTime() + MINUTE + 1);
  expect((await forgelog.post('/groups', { name: 'x', path: 'ada' })).status).toBe(201);
});
