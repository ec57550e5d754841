import { expect, test } from 'vitest';
import { createFixtures } from '../support/fixtures.ts';
import { forgelogForTest } from '../support/forgelog.ts';

test('of two owners who leave at once one stays', async () => {
  const forgelog = await forgelogForTest();
  const make = createFixtures(forgelog);
  const [owner, second] = [await make.person('olga'), await make.person('otto')] as const;
  const members = `/groups/${(await make.group('acme', owner)).id}/members`;
  await forgelog.post(members, { user_id: second.id, access_level: 50 }, owner);
  const replies = await Promise.all(
    [owner, second].map((who) => forgelog.delete(`${members}/${who.id}`, who)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([204, 403]);
});
