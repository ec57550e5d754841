import { expect, test } from 'vitest';
import { toUtf8 } from './utf8.ts';

test.each(['', 'a', 'é', '\u20ac', '🙂', '\ud83d', 'a\0b'])('%j repeated at any length', (unit) => {
  for (const ascii of ['', 'x', 'xx', 'xxx'])
    for (let count = 0; count < 70; count++) {
      const text = ascii + unit.repeat(count);
      expect(toUtf8(text)).toEqual(Buffer.from(text));
      expect(toUtf8(text + ascii)).toEqual(Buffer.from(text + ascii));
    }
});
