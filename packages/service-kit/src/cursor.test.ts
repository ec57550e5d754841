import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCursors, type KeysetPosition } from './cursor.ts';

const key = randomBytes(32);
const cursors = createCursors(() => key);
const position: KeysetPosition = {
  order: 'by name',
  values: ['ä"\n\ud83d\ude00', 42, null, true, 0.1 + 0.2],
};
const sealed = cursors.seal('things', position);

const positions: fc.Arbitrary<KeysetPosition> = fc.record({
  order: fc.string({ unit: 'binary' }),
  values: fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      fc.boolean(),
      fc.constant(null),
    ),
  ),
});

test('a position survives a round trip as URL-safe text', () => {
  fc.assert(
    fc.property(fc.string(), positions, (list, given) => {
      const cursor = cursors.seal(list, given);
      expect(cursor).toBe(encodeURIComponent(cursor));
      expect(cursors.open(list, cursor)).toEqual(given);
    }),
  );
});

test('the same key opens it', () => {
  expect(createCursors(() => Buffer.from(key)).open('things', sealed)).toEqual(position);
});

describe('is not opened', () => {
  const bytes = Buffer.from(sealed, 'base64url');
  const forged = JSON.stringify(['by name', 'a', 1]);
  test.each<[string, string, string]>([
    ['in another list', 'others', sealed],
    ['in a list whose name begins alike', 'thing', sealed],
    ['cut', 'things', sealed.slice(0, -4)],
    ['with trailing bytes', 'things', `${sealed}AAAA`],
    ['with a trailing character', 'things', `${sealed}A`],
    ['padded', 'things', `${sealed}==`],
    ['the seal alone', 'things', bytes.subarray(0, 16).toString('base64url')],
    ['without a seal', 'things', bytes.subarray(16).toString('base64url')],
    [
      'the seal on another position',
      'things',
      Buffer.concat([bytes.subarray(0, 16), Buffer.from(forged)]).toString('base64url'),
    ],
    ['no base64', 'things', '💥 ../../etc/passwd \u0000'],
    ['nothing', 'things', ''],
    ['megabytes', 'things', 'A'.repeat(5_000_000)],
  ])('%s', (_name, list, cursor) => {
    expect(cursors.open(list, cursor)).toBeUndefined();
  });

  test('with any bit flipped', () => {
    for (let at = 0; at < bytes.length * 8; at++) {
      const changed = Buffer.from(bytes);
      changed[at >> 3]! ^= 1 << (at & 7);
      expect(cursors.open('things', changed.toString('base64url'))).toBeUndefined();
    }
  });

  test("with another instance's key", () => {
    expect(createCursors(() => randomBytes(32)).open('things', sealed)).toBeUndefined();
  });
});
