import { react } from '@forgelog/testing/given-policy.ts';
import { type StreamedEvent, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issued, userDeleted } from '../testing/account-events.ts';
import { accessTokenDecider, accessTokenStream } from './access-token.decider.ts';
import { accessTokenSlice } from './access-token.slice.ts';
import { tokenPolicies } from './token-ends.policy.ts';

const LEAVER = 2;
const OTHER = 3;

async function started(...given: StreamedEvent[]) {
  const { ports } = await startSlices([accessTokenSlice], given);
  const { commands } = ports;
  const stateOf = async (id: number) =>
    (await commands.load(accessTokenDecider, accessTokenStream(id))).state;
  const statuses = (...ids: number[]) => Promise.all(ids.map(async (id) => (await stateOf(id)).status));
  return { policies: tokenPolicies(ports), statuses };
}

test('the tokens of a deleted user end, and those of others do not', async () => {
  const deleted = userDeleted(LEAVER);
  const { policies, statuses } = await started(
    ...[userCreated(LEAVER), userCreated(OTHER)],
    ...[issued(1, LEAVER), issued(2, LEAVER, '2031-01-01'), issued(3, OTHER)],
    deleted,
  );
  await react(policies, deleted);
  expect(await statuses(1, 2, 3)).toEqual(['ended', 'ended', 'issued']);
});

test('a token that was made while its user was being deleted ends too', async () => {
  const late = issued(1, LEAVER);
  const { policies, statuses } = await started(userCreated(LEAVER), userDeleted(LEAVER), late);
  await react(policies, late);
  expect(await statuses(1)).toEqual(['ended']);
});

test('a new token of a user who stays is left alone', async () => {
  const created = issued(1, OTHER);
  const { policies, statuses } = await started(userCreated(OTHER), created);
  await react(policies, created);
  expect(await statuses(1)).toEqual(['issued']);
});
