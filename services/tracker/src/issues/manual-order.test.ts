import { expect, test } from 'vitest';
import { placeBetween, placeOfNumber } from './manual-order.ts';

test('issues that nobody moved are in the order of their numbers', () => {
  const places = [1, 9, 10, 35, 36, 1295, 1296, 999_999_999].map(placeOfNumber);
  expect(places.toSorted()).toEqual(places);
});

test('there is always room between two, at the beginning, and in the same gap again and again', () => {
  for (const side of ['low', 'high', 'in turn'] as const) {
    let [low, high] = ['', placeOfNumber(1)];
    for (let at = 0; at < 500; at += 1) {
      const place = placeBetween(low, high);
      expect(low < place && place < high && !place.endsWith('0')).toBe(true);
      if (side === 'low' || (side === 'in turn' && at % 2 === 0)) high = place;
      else low = place;
    }
    expect(Math.max(low.length, high.length)).toBeLessThan(200);
  }
});

test('any two of many places that came about at random have one between them', () => {
  const places = ['', placeOfNumber(1), placeOfNumber(2)];
  let seed = 7;
  for (let turn = 0; turn < 2000; turn += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    const at = 1 + (seed % (places.length - 1));
    places.splice(at, 0, placeBetween(places[at - 1]!, places[at]!));
  }
  expect(places.toSorted()).toEqual(places);
  expect(new Set(places).size).toBe(places.length);
});
