import type { NameEvent } from '@forgelog/contracts/shared/route.events.ts';
import { expect, test } from 'vitest';
import { type NameCommand, NameTakenError, nameDecider } from './name.decider.ts';

const claim = (holderId: number, claimedAt = '2026-01-01T00:00:00.000Z'): NameCommand => ({
  type: 'ClaimName',
  holder: 'group',
  holderId,
  isAbandoned: false,
  claimedAt,
});
const decide = (past: readonly NameEvent[], command: NameCommand) =>
  nameDecider.decide(command, past.reduce(nameDecider.evolve, nameDecider.initialState));
const claimed = decide([], claim(1));

test('a name has one holder, until he releases it', () => {
  expect(() => decide(claimed, claim(2))).toThrow(NameTakenError);
  const release: NameCommand = { type: 'ReleaseName', holder: 'group', holderId: 1 };
  expect(decide([...claimed, ...decide(claimed, release)], claim(2))).toHaveLength(1);
});

test('nobody releases what another holds', () => {
  expect(decide(claimed, { type: 'ReleaseName', holder: 'user', holderId: 1 })).toEqual([]);
});

test('a repeated claim changes nothing, a later one makes it young again', () => {
  expect(decide(claimed, claim(1))).toEqual([]);
  expect(decide(claimed, claim(1, '2026-01-02T00:00:00.000Z'))).toMatchObject([
    { data: { claimedAt: '2026-01-02T00:00:00.000Z' } },
  ]);
});
