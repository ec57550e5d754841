import { expect, test } from 'vitest';
import { colorOf, textColorOn } from './label-color.ts';

test('colours are hexadecimal digits, three or six, or names of CSS', () => {
  const given = ['#D9534F', '#d54', ' RebeccaPurple ', 'white'];
  expect(given.map(colorOf)).toEqual(['#d9534f', '#dd5544', '#663399', '#ffffff']);
  const wrong = ['', 'd9534f', '#d9534', '#ggg', 'constructor', '__proto__', 'rgb(1,2,3)'];
  expect(wrong.map(colorOf)).toEqual(wrong.map(() => undefined));
});

test('text is dark on bright colours and bright on dark ones', () => {
  expect(['#ffffff', '#ffff00', '#6699cc', '#000000'].map(textColorOn)).toEqual([
    ...['#333333', '#333333'],
    ...['#FFFFFF', '#FFFFFF'],
  ]);
});
