import { expect, test } from 'vitest';
import { forgelogForTest } from '../support/forgelog.ts';

test('the free edition has no billable members', async () => {
  const free = await forgelogForTest({ environment: { EDITION: 'free' } });
  expect((await free.get('/groups/1/billable_members')).body).toEqual({ error: '404 Not Found' });
});
