import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { expect, test } from 'vitest';
import { endpointsWithRights } from '../fixtures/all-fixtures.ts';
import { send } from '../support/wire.ts';
import { sweepRights } from './rights.ts';

test('each endpoint has a row in a fixture, and each row an endpoint', () => {
  expect(endpointsWithRights.toSorted()).toEqual(endpoints.map(({ id }) => id).sort());
});

const world = sweepRights('gateway');

test('sudo is for administrators with its scope, and for somebody who is there', async () => {
  const { people, scoped, forgelog } = world();
  const path = '/api/v4/user';
  const as = (token: string, name: string) => send(forgelog, 'GET', path, { token, headers: { Sudo: name } });
  expect(await as(people.owner.token, 'the-guest')).toMatchObject({
    status: 403,
    text: '{"message":"403 Forbidden - Must be admin to use sudo"}',
  });
  expect((await as(scoped.api, 'the-guest')).text).toContain('insufficient_scope');
  expect((await as(forgelog.rootToken, 'nobody-at-all')).status).toBe(404);
  expect((await as(forgelog.rootToken, '999999')).status).toBe(404);
  expect((await send(forgelog, 'GET', path, { token: null, headers: { Sudo: 'root' } })).status).toBe(401);
  const guest = await as(forgelog.rootToken, 'the-guest');
  expect(JSON.parse(guest.text)).toMatchObject({ id: people.guest.id });
  expect(JSON.parse(guest.text)).not.toHaveProperty('is_admin');
});
