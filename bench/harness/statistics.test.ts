import { expect, test } from 'vitest';
import { fulfils, median, quantile, summarise } from './statistics.ts';

test('the median is independent of the order', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7])).toBe(7);
  expect(() => median([])).toThrow(RangeError);
});

test('one outlier moves neither median nor spread by much', () => {
  const calm = summarise([1.0, 1.1, 0.9, 1.0, 1.05, 0.95, 1.0]);
  const wild = summarise([1.0, 1.1, 0.9, 1.0, 1.05, 0.95, 40]);
  expect(calm.median).toBe(1);
  expect(wild.median).toBeCloseTo(1, 1);
  expect(wild.spread).toBeLessThan(0.1);
});

test('quantiles are linear between values', () => {
  expect(quantile([0, 10], 0.25)).toBe(2.5);
  expect(quantile([3, 1, 2], 1)).toBe(3);
});

test('a target is a minimum or a maximum', () => {
  expect(fulfils(0.4, { atLeast: 0.4 })).toBe(true);
  expect(fulfils(0.39, { atLeast: 0.4 })).toBe(false);
  expect(fulfils(1.2, { atMost: 1.2 })).toBe(true);
  expect(fulfils(1.21, { atMost: 1.2 })).toBe(false);
});
