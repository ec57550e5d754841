import { expect, test } from 'vitest';
import { type LabelWishes, labelsAfter, NO_WISHES } from './given-labels.rules.ts';

const given = { labelIds: [1, 2], labels: ['bug', 'prio::low'] };
const after = (wishes: Partial<LabelWishes>) => labelsAfter(given, { ...NO_WISHES, ...wishes }).labels;

test('of labels with one scope the one given last stays', () => {
  const high = { id: 3, title: 'prio::high' };
  expect(after({ add: [high] })).toEqual(['bug', 'prio::high']);
  expect(after({ set: [high, { id: 2, title: 'prio::low' }] })).toEqual(['prio::low']);
  expect(after({ add: [high], exclusive: false })).toEqual(['bug', 'prio::low', 'prio::high']);
  const others = ['prio::x::a', 'prio::', '::low', 'prio'].map((title, at) => ({ id: 10 + at, title }));
  expect(after({ add: others })).toEqual(['bug', 'prio::low', ...others.map(({ title }) => title)]);
});

test('a label that is gone is dropped, one that was replaced is the new one, and a new title alone changes nothing', () => {
  const now = new Map([[1, null]]);
  expect(after({ now, add: [{ id: 4, title: 'ui' }] })).toEqual(['prio::low', 'ui']);
  expect(labelsAfter(given, { ...NO_WISHES, now: new Map([[1, { id: 9, title: 'bug' }]]) }).labelIds).toEqual(
    [9, 2],
  );
  expect(after({ now: new Map([[1, { id: 1, title: 'defect' }]]) })).toEqual(given.labels);
});
