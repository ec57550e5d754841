import { expect, test } from 'vitest';
import { createFixtures } from '../support/fixtures.ts';
import { forgelogForTest } from '../support/forgelog.ts';

test('of many who add the same user at once one succeeds', async () => {
  const forgelog = await forgelogForTest();
  const make = createFixtures(forgelog);
  const [owner, rita] = [await make.person('olga'), await make.person('rita')] as const;
  const { id } = await make.project('tools', owner);
  const replies = await Promise.all(
    [10, 20, 30, 40].map((access_level) =>
      forgelog.post(`/projects/${id}/members`, { user_id: rita.id, access_level }, owner),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});
