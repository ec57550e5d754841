import { expect, test } from 'vitest';
import { sealedPositions } from './sealed-position.ts';

const sealed = sealedPositions(() => Buffer.alloc(32, 7));
const POSITION = 'p6d2f9a10-0000000-0000000000000042';

test('a sealed position tells nothing, and opens at its place alone', () => {
  const one = sealed.seal('project 7', POSITION);
  expect(sealed.open('project 7', one)).toBe(POSITION);
  expect(sealed.open('project 8', one)).toBeUndefined();
  expect(sealedPositions(() => Buffer.alloc(32, 8)).open('project 7', one)).toBeUndefined();
  const many = [POSITION, POSITION, 'p1', '', `${POSITION}-0000000000000042`];
  const texts = many.map((position) => sealed.seal('project 7', position));
  expect(new Set(texts).size).toBe(many.length);
  expect(new Set(texts.map(({ length }) => length)).size).toBe(1);
  expect(texts.map((text) => sealed.open('project 7', text))).toEqual(many);
});

test('any other text does not open', () => {
  const one = sealed.seal('project 7', POSITION);
  const others = [
    '',
    'x',
    POSITION,
    one.slice(1),
    `${one}=`,
    `${one} `,
    one.toLowerCase(),
    'A'.repeat(one.length),
  ];
  expect(others.map((text) => sealed.open('project 7', text))).toEqual(others.map(() => undefined));
});
