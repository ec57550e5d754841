import { eq } from '@forgelog/eventing/query.ts';
import type { StreamedEvent } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issued } from '../testing/account-events.ts';
import { due, going, noonOfToday, TODAY } from '../testing/due-ends.ts';
import { accessTokenDecider, accessTokenStream } from './access-token.decider.ts';
import { accessTokenSlice } from './access-token.slice.ts';
import { endTokens } from './token-ends.commands.ts';

async function started(...given: StreamedEvent[]) {
  const { ports } = await startSlices([accessTokenSlice], given, { clock: noonOfToday });
  const { commands } = ports;
  const load = (id: number) => commands.load(accessTokenDecider, accessTokenStream(id));
  const statusOf = async (id: number) => (await load(id)).state.status;
  const revisionOf = async (id: number) => (await load(id)).revision;
  return { ports, revisionOf, statuses: (...ids: number[]) => Promise.all(ids.map(statusOf)) };
}

test('tokens end whose day has come, and no others', async () => {
  const { ports, statuses } = await started(
    ...[issued(1, 2, TODAY), issued(2, 2, '2030-01-11'), issued(3, 2)],
  );
  await endTokens(ports, { ...due, signal: going() });
  expect(await statuses(1, 2, 3)).toEqual(['ended', 'issued', 'issued']);
});

test('all of a deleted user end, whatever their day', async () => {
  const { ports, statuses } = await started(issued(1, 2), issued(2, 2, '2031-01-01'), issued(3, 4));
  await endTokens(ports, { ...due, where: eq('userId', 2), reason: 'deleted', signal: going() });
  expect(await statuses(1, 2, 3)).toEqual(['ended', 'ended', 'issued']);
});

test('more than a batch end once each, by two at the same time', async () => {
  const ids = Array.from({ length: 501 }, (_, index) => index + 1);
  const { ports, statuses, revisionOf } = await started(...ids.map((id) => issued(id, 2, TODAY)));
  await Promise.all([
    endTokens(ports, { ...due, signal: going() }),
    endTokens(ports, { ...due, signal: going() }),
  ]);
  expect(new Set(await statuses(...ids))).toEqual(new Set(['ended']));
  expect(new Set(await Promise.all(ids.map(revisionOf)))).toEqual(new Set([1]));
});

test('a server that stops leaves the rest for its next start', async () => {
  const { ports, statuses } = await started(issued(1, 2, TODAY), issued(2, 2, TODAY));
  const stopping = new AbortController();
  const commands: typeof ports.commands = {
    ...ports.commands,
    handle(...command) {
      stopping.abort();
      return ports.commands.handle(...command);
    },
  };
  const ending = endTokens({ ...ports, commands }, { ...due, signal: stopping.signal });
  await expect(ending).rejects.toThrow('aborted');
  expect(await statuses(1, 2)).toEqual(['ended', 'issued']);
  await endTokens(ports, { ...due, signal: going() });
  expect(await statuses(1, 2)).toEqual(['ended', 'ended']);
});
