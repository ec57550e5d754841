import { expect, test } from 'vitest';
import { reportedError } from './reported-error.rules.ts';
import { scrubbed, scrubbedUrl } from './scrubbed.ts';

const AT = '2026-11-20T12:00:00.000Z';
const frame = (name: string, more: object = {}) => ({
  ...{ filename: '/srv/engine/crank.js', function: name, lineno: 1, in_app: true },
  ...more,
});
const event = (value: string, more: object = {}, frames: readonly object[] = [frame('turn')]) => ({
  exception: { values: [{ type: 'TypeError', value, stacktrace: { frames } }] },
  ...more,
});
const of = (reported: unknown) => reportedError(reported, AT)!;
const fingerprintOf = (reported: unknown) => of(reported).fingerprint;

test('errors are one where type, place and the shape of what they say are the same', () => {
  const known = fingerprintOf(event('no user 17 in "Engines"'));
  const same = [
    event('no user 4711 in "Boats"'),
    event('no user 17 in "Engines"', {}, [frame('turn', { lineno: 99, colno: 7 })]),
    event('no user 17 in "Engines"', {}, [frame('express', { in_app: false }), frame('turn')]),
    event('no user 17 in "Engines"', { release: '2.0', environment: 'staging', user: { id: 1 } }),
  ];
  expect(same.map(fingerprintOf)).toEqual(same.map(() => known));
  const others = [
    event('no group 17 in "Engines"'),
    event('no user 17 in "Engines"', {}, [frame('stop')]),
    { exception: { values: [{ type: 'RangeError', value: 'no user 17 in "Engines"' }] } },
    { message: 'no user 17 in "Engines"' },
  ];
  expect(new Set([known, ...others.map(fingerprintOf)]).size).toBe(others.length + 1);
});

test('an SDK says what belongs together, beside the default or in place of it', () => {
  const grouped = (value: string, fingerprint: unknown) => fingerprintOf(event(value, { fingerprint }));
  expect(grouped('a', ['crank'])).toBe(grouped('b', ['crank']));
  expect(grouped('a', ['{{ default }}', 'crank'])).not.toBe(grouped('b', ['{{ default }}', 'crank']));
  expect(grouped('a', ['{{ default }}'])).toBe(grouped('a', undefined));
  expect(grouped('a', [{}, null])).toBe(grouped('a', 7));
});

test('bundles with another hash in their names, on another host, are the same file', () => {
  const bundled = (filename: string) => fingerprintOf(event('a', {}, [frame('turn', { filename })]));
  expect(bundled('https://a.example.org/app.3f9ac21b.js')).toBe(
    bundled('https://b.example.org/app.1b0077ce.js'),
  );
});

test('secrets and who used the program are left out', () => {
  const { facts, occurrence } = of({
    ...event('login failed: password=hunter2 for https://ada:hunter2@db.example.org/x'),
    user: { email: 'ada@example.org', ip_address: '10.1.2.3' },
    request: {
      ...{ url: 'https://ada:hunter2@shop.example.org/pay?token=hunter2#hunter2', method: 'POST' },
      ...{
        cookies: 'session=hunter2',
        headers: { Authorization: 'Bearer hunter2' },
        data: { card: 'hunter2' },
      },
    },
    tags: { api_key: 'hunter2', runtime: 'node' },
    extra: { hint: 'hunter2' },
    breadcrumbs: [{ message: 'hunter2' }],
  });
  expect(facts.message).toBe('login failed: password=[Filtered] for https://[Filtered]@db.example.org/x');
  expect(occurrence.request).toEqual({ method: 'POST', url: 'https://[Filtered]@shop.example.org/pay' });
  expect(occurrence.tags).toEqual({ api_key: '[Filtered]', runtime: 'node' });
  expect(JSON.stringify({ facts, occurrence })).not.toMatch(/hunter2|ada@|10\.1\.2\.3/);
});

test.each([
  ['Authorization: Bearer abcdefgh12', 'Authorization: [Filtered]'],
  ['got Bearer abcdefgh12 here', 'got Bearer [Filtered] here'],
  ['{"client_secret": "a b"}', '{"client_secret": [Filtered]}'],
  ['token glpat-0123456789abcdefghij', 'token [Filtered]'],
  ['a tokenless text: fine', 'a tokenless text: fine'],
])('%s is told as %s', (text, told) => {
  expect(scrubbed(text)).toBe(told);
});

test('an address is told without its query', () => {
  expect(scrubbedUrl('/pay?card=1')).toBe('/pay');
});

test('what is enormous or of another type is cut or left out', () => {
  const frames = Array.from({ length: 5000 }, () => frame('f'.repeat(10_000), { lineno: -1, colno: '7' }));
  const values = Array.from({ length: 100 }, () => ({
    type: 'T'.repeat(9999),
    value: 'v'.repeat(1e6),
    stacktrace: { frames },
  }));
  const { facts, occurrence } = of({
    ...{
      exception: { values },
      level: 'doom',
      platform: {},
      tags: [['a', 'b'], 7, [{}, {}]],
      event_id: '<x>',
    },
  });
  expect(facts).toMatchObject({ level: 'error', platform: 'other', culprit: expect.any(String) });
  expect(occurrence).toMatchObject({ reportId: '', tags: { a: 'b' } });
  expect(occurrence.exceptions).toHaveLength(5);
  expect(occurrence.exceptions[0]!.frames).toHaveLength(30);
  expect(occurrence.exceptions[0]!.frames[0]).toMatchObject({ line: null, column: null });
  expect(JSON.stringify(occurrence).length).toBeLessThan(200_000);
  for (const wrong of [null, [], 'x', {}, { exception: 7 }, { message: 7 }, { exception: { values: [7] } }])
    expect(reportedError(wrong, AT)).toBeUndefined();
});

test('a message is an error too, as text or with its parts', () => {
  expect(of({ message: 'low on steam' }).facts).toMatchObject({
    errorType: 'Message',
    message: 'low on steam',
  });
  expect(of({ logentry: { message: 'low on %s', params: ['steam'] } }).facts.message).toBe('low on %s');
});
