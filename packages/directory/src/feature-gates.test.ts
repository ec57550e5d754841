import { expect, test } from 'vitest';
import { isOpen } from './feature-gates.ts';

const closed = {
  ...{ name: 'x', enabled: false, percentageOfTime: 0, percentageOfActors: 0 },
  ...{ groups: [] as string[], actors: [] as string[] },
};

test('a gate opens for those that it is for', () => {
  const asked = { actor: 'Project:7', chance: 0.5 } as const;
  expect(isOpen(closed, asked)).toBe(false);
  for (const gate of [{ enabled: true }, { percentageOfTime: 51 }, { actors: ['Project:7'] }])
    expect(isOpen({ ...closed, ...gate }, asked)).toBe(true);
  for (const gate of [{ percentageOfTime: 50 }, { actors: ['Group:7'] }, { groups: ['administrators'] }])
    expect(isOpen({ ...closed, ...gate }, asked)).toBe(false);
  expect(isOpen({ ...closed, groups: ['administrators'] }, { ...asked, isAdmin: true })).toBe(true);
});

test('a percentage of actors is about as many of them, and a larger one keeps them', () => {
  const open = (percentageOfActors: number) =>
    Array.from({ length: 2000 }, (_, id) => id).filter((id) =>
      isOpen({ ...closed, percentageOfActors }, { actor: `User:${id}`, chance: 0.99 }),
    );
  expect(open(30).length).toBeGreaterThan(500);
  expect(open(30).length).toBeLessThan(700);
  expect(open(60)).toEqual(expect.arrayContaining(open(30)));
  expect([open(0).length, open(100).length]).toEqual([0, 2000]);
});
