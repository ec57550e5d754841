import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRequestLog, type RequestEntry } from './request-log.ts';

test('writes the lines of pino', () => {
  const lines: string[] = [];
  const options = { base: null, timestamp: () => ',"time":"2024-01-01T00:00:00.000Z"' };
  const log = pino(options, { write: (line: string) => void lines.push(line) });
  const requests = createRequestLog(log);
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const entries: fc.Arbitrary<RequestEntry> = fc.record({
    requestId: fc.constantFrom('5e2c7f1a-0b4d', 'A_b-12345678'),
    traceId: optional(fc.constant('4bf92f3577b34da6a3ce929d0e0e4736')),
    method: optional(fc.constantFrom('GET', 'M-SEARCH')),
    // A path has the bytes that arrived, each as a character.
    path: fc.oneof(
      fc.constantFrom('/', '/api/v4/projects/a%2Fb', '/"\\', `/${'x'.repeat(200)}`),
      fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 120 }),
    ),
    status: fc.integer({ min: 100, max: 599 }),
    ms: fc.double({ min: 0, max: 1e6, noNaN: true }),
    user: optional(fc.nat()),
    client: fc.constantFrom(null, '127.0.0.1', '::ffff:10.0.0.1', 'fe80::1%eth0'),
    aborted: optional(fc.constant(true as const)),
  });
  fc.assert(
    fc.property(entries, (entry) => {
      lines.length = 0;
      log.info(entry, 'request');
      requests.info(entry, 'request');
      expect(lines[1]).toBe(lines[0]);
    }),
    { numRuns: 2000 },
  );
});

test('respects the level', () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  createRequestLog(log).info({}, 'request');
  createRequestLog(pino({ enabled: false })).info({}, 'request');
  expect(lines).toEqual([]);
});
