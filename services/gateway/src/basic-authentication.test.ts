import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, test } from 'vitest';
import { createBasicAuthentication } from './basic-authentication.ts';
import type { RequestRecord } from './request-record.ts';

test('two passwords are verified at once, a hundred wait, and further ones get 503 with Retry-After', async () => {
  type Ports = Parameters<typeof createBasicAuthentication>[0];
  const basic = createBasicAuthentication({
    authentication: {
      byToken: async () => undefined,
      byDeployToken: async () => undefined,
    } as unknown as Ports['authentication'],
    directory: { userByName: async () => undefined } as unknown as Ports['directory'],
    readStore: {} as Ports['readStore'],
    signIns: {
      refused() {},
      attempt: () => ({ begin() {}, right() {}, wrong() {}, unjudged() {} }),
    },
    now: () => performance.now(),
  });
  const answers = await Promise.allSettled(
    Array.from({ length: 110 }, (_, at) => basic.principal('nobody', `password ${at}`, {} as RequestRecord)),
  );
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  expect(refused).toHaveLength(8);
  for (const reason of refused) {
    expect(reason).toBeInstanceOf(Rejection);
    expect(reason).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '5' } });
  }
  for (const answer of answers) if (answer.status === 'fulfilled') expect(answer.value).toBeUndefined();
});
