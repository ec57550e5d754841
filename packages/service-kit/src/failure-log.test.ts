import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, test, vi } from 'vitest';
import type { Exchange } from './dispatcher.ts';
import { logFailure } from './failure-log.ts';
import type { Logger } from './log.ts';
import { unavailable } from './unavailable.ts';

function logged(error: unknown) {
  const log = { warn: vi.fn(), error: vi.fn() };
  const exchange = { origin: { requestId: 'r-1' }, endpoint: { id: 'issue-get' } } as Exchange;
  logFailure(log as unknown as Logger)(error, exchange);
  return { warned: log.warn.mock.calls, failed: log.error.mock.calls };
}

test('what is unavailable is told with its reason and its cause', () => {
  const cause = new Error('connect ECONNREFUSED');
  const asked = { requestId: 'r-1', endpoint: 'issue-get' };
  expect(logged(unavailable('the repo service does not answer', 2, cause))).toMatchObject({
    warned: [[{ ...asked, reason: 'the repo service does not answer', err: cause }, 'refused for now']],
    failed: [],
  });
  const [[line]] = logged(unavailable('git is busy', 5)).warned as [[object]];
  expect(line).not.toHaveProperty('err');
});

test("a caller's own mistake is not told, and a defect is an error", () => {
  expect(logged(new Rejection('not_found', { what: 'Issue' }))).toEqual({ warned: [], failed: [] });
  const defect = new TypeError('x is not a function');
  expect(logged(defect)).toMatchObject({ warned: [], failed: [[{ err: defect }, 'request failed']] });
});
