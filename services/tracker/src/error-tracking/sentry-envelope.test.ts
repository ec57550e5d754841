import { expect, test } from 'vitest';
import { eventInEnvelope } from './sentry-envelope.ts';

const EVENT = JSON.stringify({ message: 'a' });
const read = (...lines: string[]) => eventInEnvelope(Buffer.from(lines.join('\n')));

test('the event is found among other items, with and without a length', () => {
  const item = `{"type":"event","length":${EVENT.length}}`;
  for (const lines of [
    ['{}', '{"type":"event"}', EVENT],
    ['{"dsn":"x"}', item, EVENT, ''],
    ['{}', '{"type":"attachment","length":3}', 'a\nb', item, EVENT, '', ''],
    ['{}', item, EVENT, '{"type":"session"}', '{}'],
  ])
    expect(read(...lines)).toEqual({ message: 'a' });
  expect(read('{}', '{"type":"transaction"}', '{}')).toBeUndefined();
});

test.each([
  ['nothing', ['']],
  ['garbage', ['title=x']],
  ['a header alone', ['{}']],
  ['a list as header', ['[]', '{"type":"event"}', EVENT]],
  ['an item without a type', ['{}', '{}', EVENT]],
  ['an item that is longer than the body', ['{}', '{"type":"event","length":1e9}', EVENT]],
  ['an item that is shorter than it says', ['{}', '{"type":"event","length":3}', EVENT]],
  ['a negative length', ['{}', '{"type":"event","length":-1}', EVENT]],
  ['a length that is none', ['{}', '{"type":"event","length":"x"}', EVENT]],
  ['two events', ['{}', '{"type":"event"}', EVENT, '{"type":"event"}', EVENT]],
  ['an event that is no object', ['{}', '{"type":"event"}', '"x"']],
  ['an event that is too deep to be one', ['{}', '{"type":"event"}', '['.repeat(500_000)]],
  ['endless items', ['{}', ...Array.from({ length: 101 }, () => '{"type":"x","length":0}\n')]],
])('%s is refused', (_, lines) => {
  expect(() => read(...lines)).toThrow(expect.objectContaining({ status: 400 }));
});
