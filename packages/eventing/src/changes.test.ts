import { expect, test } from 'vitest';
import { changesFrom, withSecret } from './changes.ts';

const present = {
  name: 'a',
  description: null as string | null,
  labels: ['x', 'y'] as readonly string[],
  settings: { lfs: true, depth: 50, policy: { keep: 10, cadence: '1d' } },
};

test('a change has the new and the old value of each field that differs', () => {
  expect(changesFrom(present, { name: 'b', description: null, labels: ['x'] })).toEqual({
    changes: { name: 'b', labels: ['x'] },
    previous: { name: 'a', labels: ['x', 'y'] },
  });
  expect(changesFrom(present, { description: 'new' })).toEqual({
    changes: { description: 'new' },
    previous: { description: null },
  });
});

test('nothing is changed by the same values, by undefined ones and by none', () => {
  expect(changesFrom(present, {})).toBeNull();
  expect(changesFrom(present, { name: undefined, labels: ['x', 'y'] })).toBeNull();
  expect(changesFrom(present, { settings: { lfs: true, policy: { keep: 10, cadence: '1d' } } })).toBeNull();
});

test('of settings only those that differ are told, and what a setting holds is told whole', () => {
  expect(changesFrom(present, { settings: { lfs: true, depth: 0 } })).toEqual({
    changes: { settings: { depth: 0 } },
    previous: { settings: { depth: 50 } },
  });
  expect(changesFrom(present, { settings: { policy: { keep: 5, cadence: '1d' } } })).toEqual({
    changes: { settings: { policy: { keep: 5, cadence: '1d' } } },
    previous: { settings: { policy: { keep: 10, cadence: '1d' } } },
  });
});

test('zero has no sign, because JSON has none', () => {
  expect(changesFrom({ weight: 0 }, { weight: -0 })).toBeNull();
});

test('a secret is a change of its own, named and without an old value', () => {
  const renamed = changesFrom(present, { name: 'b' });
  expect(withSecret(renamed, 'key', { hash: 's' })).toEqual({
    changes: { name: 'b', hash: 's' },
    previous: { name: 'a' },
    withheldChanges: ['key'],
  });
  expect(withSecret(null, 'key', { hash: 's' })).toMatchObject({ changes: { hash: 's' }, previous: {} });
  expect(withSecret(renamed, 'key', undefined)).toEqual({ ...renamed, withheldChanges: [] });
  expect(withSecret(null, 'key', undefined)).toBeNull();
});
