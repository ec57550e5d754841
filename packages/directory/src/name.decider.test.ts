import type { NameEvent } from '@forgelog/contracts/shared/route.events.ts';
import { expect, test } from 'vitest';
import { type NameCommand, NameTakenError, nameDecider } from './name.decider.ts';

const group = (id: number) => ({ kind: 'group' as const, id });
const claim = (id: number, over: number | null = null): NameCommand => ({
  type: 'ClaimName',
  holder: group(id),
  over,
  claimedAt: '2026-01-01T00:00:00.000Z',
});
const release = (id: number, number: number): NameCommand => ({
  type: 'ReleaseName',
  holder: group(id),
  claim: number,
});

function given(...commands: NameCommand[]) {
  const events: NameEvent[] = [];
  const state = () => events.reduce(nameDecider.evolve, nameDecider.initialState);
  for (const command of commands) events.push(...nameDecider.decide(command, state()));
  return { state: state(), decide: (command: NameCommand) => nameDecider.decide(command, state()) };
}

test('a name has one holder until it is released', () => {
  expect(() => given(claim(1)).decide(claim(2))).toThrow(NameTakenError);
  expect(given(claim(1), release(1, 1)).decide(claim(2))).toHaveLength(1);
});

test("a holder cannot release another's claim, or a claim made again since", () => {
  expect(given(claim(1)).decide(release(2, 1))).toEqual([]);
  expect(given(claim(1), claim(1)).decide(release(1, 1))).toEqual([]);
  expect(given(claim(1), claim(1)).decide(release(1, 2))).toHaveLength(1);
});

test('a claim is taken over only by its number', () => {
  expect(given(claim(1), claim(2, 1)).state).toMatchObject({ claims: 2, holder: group(2) });
  // The holder is alive and claimed again.
  expect(() => given(claim(1), claim(1)).decide(claim(2, 1))).toThrow(NameTakenError);
});

test('a repeated claim counts, so a takeover of the previous claim fails', () => {
  expect(given(claim(1)).decide(claim(1))).toHaveLength(1);
});
