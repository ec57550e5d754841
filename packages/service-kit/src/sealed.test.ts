import { randomBytes } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, test } from 'vitest';
import { createSealer, SealedTextError, sizeOfSealed } from './sealed.ts';
import { unavailability } from './unavailable.ts';

const key = Buffer.alloc(32, 7);
const sealer = createSealer(() => key, 'CI variables');
const place = 'variables-project-7/DEPLOY_KEY';

test.each(['', 'secret', 'ключ 🔑\n', randomBytes(40_000).toString('hex')])(
  'a text comes back as it was, and each seal is different',
  (text) => {
    const [first, second] = [sealer.seal(place, text), sealer.seal(place, text)];
    expect(first).not.toBe(second);
    expect([sealer.open(place, first), sealer.open(place, second)]).toEqual([text, text]);
    expect(sizeOfSealed(first)).toBe(Buffer.byteLength(text));
    if (text !== '') expect(first).not.toContain(text);
  },
);

test('another process with the same key opens it', () => {
  expect(createSealer(() => Buffer.from(key), 'CI variables').open(place, sealer.seal(place, 'a'))).toBe('a');
});

test('a text opens in its own place only', () => {
  expect(() => sealer.open('variables-project-8/DEPLOY_KEY', sealer.seal(place, 'a'))).toThrow(
    'is damaged, or belongs to another place',
  );
});

test.each([
  ['another instance key', createSealer(() => Buffer.alloc(32, 8), 'CI variables')],
  ['another purpose', createSealer(() => key, 'triggers')],
])('%s is named as the cause, with the remedy', (_case, other) => {
  expect(() => other.open(place, sealer.seal(place, 'a'))).toThrow(
    /variables-project-7\/DEPLOY_KEY was sealed with another instance key.*SECRET_KEY.*set the value again/,
  );
});

test('a text that was cut or changed at any character is refused', () => {
  const sealed = sealer.seal(place, 'secret');
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(() => sealer.open(place, changed)).toThrow(SealedTextError);
    expect(() => sealer.open(place, sealed.slice(0, at))).toThrow(SealedTextError);
  }
  expect(() => sealer.open(place, 'secret')).toThrow(SealedTextError);
});

test('a caller is told that the instance key is the cause, and not to try again soon', () => {
  const refusal = unavailability(new SealedTextError(place, 'for the log'))!;
  expect(refusal).toBeInstanceOf(Rejection);
  expect(refusal).toMatchObject({ status: 503, headers: {} });
  expect(JSON.stringify(refusal.body)).toContain(
    `${place} cannot be read: the administrator must check the instance key`,
  );
});
