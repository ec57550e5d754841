import { expect, test } from 'vitest';
import { publishedSubject } from './event-subject.ts';
import { NameClaimed } from './shared/route.events.ts';

const hash = '0f'.repeat(32);
const published = (stream: string) =>
  publishedSubject(NameClaimed.subject, stream, (given) => `keyed ${given}`);

test.each([
  [`email-${hash}`, `email-keyed ${hash}`],
  [`projectName-12/${hash}`, `projectName-12/keyed ${hash}`],
])('the hash in %s is published with a key', (stream, expected) => {
  expect(published(stream)).toBe(expected);
});

test.each(['route-5/acme', `route-5/${hash}`, `route-0/email-${hash}`])('the path in %s stays', (stream) => {
  expect(published(stream)).toBe(stream);
});
