import { events } from '@forgelog/contracts/events.ts';
import type { AppendedEvent, NewEvent } from '@forgelog/eventing/event.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { ExpiringStream } from '@forgelog/eventing/expiring-stream.ts';
import { LogIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { expect, test, vi } from 'vitest';
import type { RequestRecord } from '../request-record.ts';
import { type AccessLogPorts, createAccessLog } from './access-log.ts';

const NOON = Date.parse('2026-11-22T12:00:00.000Z');

function setUp(given: Partial<AccessLogPorts> = {}) {
  const written: NewEvent[] = [];
  let isAway = false;
  const time = { now: NOON };
  const stream: ExpiringStream = {
    async append(batch) {
      if (isAway) throw new Error('away');
      written.push(...batch);
    },
    read: async () => written as unknown as AppendedEvent[],
    last: async () => written.length - 1,
    epochs: async () => [],
    async beginEpoch() {},
    async close() {},
  };
  const error = vi.fn();
  const identity = {
    current: async () => new LogIdentity('log'),
    forBatch: async () => new LogIdentity('log'),
  };
  const accessLog = createAccessLog({
    ...{ stream, identity },
    catalogue: createCatalogue(events),
    clock: () => new Date(time.now),
    log: { error } as unknown as AccessLogPorts['log'],
    directory: { userByName: async () => undefined } as unknown as AccessLogPorts['directory'],
    authorizer: {} as AccessLogPorts['authorizer'],
    ...given,
  });
  const told = () => written.map(({ type, data }) => ({ type, ...(data as { count: number }) }));
  return { accessLog, written, told, time, error, away: (value: boolean) => (isAway = value) };
}

const request = (clientAddress = '192.0.2.1'): RequestRecord => ({
  ...{ requestId: 'r', path: '/', search: '', clientAddress, userAgent: 'test', traceparent: undefined },
});
const caller = (id: number) =>
  ({ userId: id, credential: { kind: 'personal_access_token', id }, onBehalfBy: null }) as Principal;

test('a flood of refused sign-ins becomes a bounded number of events, which count all of them', async () => {
  const { accessLog, told } = setUp();
  for (let at = 0; at < 50_000; at++)
    accessLog.credentialRefused('wrong_password', request(`192.0.2.${at % 7}`), `account ${at % 5_000}`);
  await accessLog.stop();
  const refused = told().filter(({ type }) => type === 'CredentialRefused');
  const omitted = told().filter(({ type }) => type === 'AccessRecordsOmitted');
  expect([refused.length, omitted.length]).toEqual([100, 1]);
  expect(told().reduce((sum, { count }) => sum + count, 0)).toBe(50_000);
});

test('a name that was tried is in no event, because people mistype passwords there', async () => {
  const { accessLog, written } = setUp();
  accessLog.credentialRefused('wrong_password', request(), 'hunter2');
  await accessLog.stop();
  expect(written).toHaveLength(1);
  expect(JSON.stringify(written)).not.toContain('hunter2');
});

test('a token is told when it is first used in an hour, and at the end how often until when', async () => {
  const { accessLog, told, time } = setUp();
  for (const minutes of [0, 1, 30, 59.9]) {
    time.now = NOON + minutes * 60_000;
    accessLog.credentialUsed(caller(7), request());
  }
  await accessLog.stop();
  time.now = NOON + 60 * 60_000;
  accessLog.credentialUsed(caller(7), request());
  accessLog.credentialUsed(caller(7), request('192.0.2.2'));
  await accessLog.stop();
  expect(told().map(({ count }) => count)).toEqual([4, 1, 1]);
  expect(told()[0]).toMatchObject({
    ...{ userId: 7, tokenId: 7 },
    firstAt: '2026-11-22T12:00:00.000Z',
    lastAt: '2026-11-22T12:59:54.000Z',
  });
});

test('of an administrator who acts as somebody, the token is that of the administrator', async () => {
  const { accessLog, written } = setUp();
  accessLog.credentialUsed({ ...caller(7), userId: 9, onBehalfBy: 7 }, request());
  await accessLog.stop();
  expect(written[0]).toMatchObject({ data: { userId: 7 }, metadata: { actorId: 7, onBehalfBy: null } });
});

test('while the store is away nothing is lost up to a bound, and beyond it what is lost is counted', async () => {
  const { accessLog, told, away, error, time } = setUp();
  away(true);
  vi.useFakeTimers();
  accessLog.start();
  let used = 0;
  for (let hour = 0; hour < 3; hour++) {
    time.now = NOON + hour * 3_600_000;
    for (let id = 1; id <= 9_000; id++, used++) accessLog.credentialUsed(caller(id), request());
    await vi.advanceTimersByTimeAsync(2_500);
  }
  vi.useRealTimers();
  expect(error).toHaveBeenCalledWith({ err: expect.any(Error) }, expect.stringContaining('not written'));
  expect(told()).toEqual([]);
  away(false);
  await accessLog.stop();
  const omitted = told().filter(({ type }) => type === 'AccessRecordsOmitted');
  expect(omitted).toMatchObject([{ eventType: 'CredentialUsed', count: 7_000 }]);
  expect(told()).toHaveLength(20_001);
  expect(told().reduce((sum, { count }) => sum + count, 0)).toBe(used);
});

test('a refusal that hides what exists is told, and one of what does not exist is not', async () => {
  const project = vi.fn(async (id: number) => (id < 3 ? { id } : undefined));
  const { accessLog, told } = setUp({
    directory: { project } as unknown as AccessLogPorts['directory'],
    authorizer: { project: async (id: string) => (id === '2' ? { level: 10 } : undefined) } as never,
  });
  const asked = (id: string): RequestRecord => ({
    ...request(),
    principal: caller(7),
    endpoint: { id: 'issue-list', access: { kind: 'project', param: 'id' } } as never,
    pathParams: { id },
  });
  accessLog.answered(asked('1'), 404);
  accessLog.answered(asked('2'), 404);
  accessLog.answered(asked('3'), 404);
  accessLog.answered(asked('2'), 403);
  accessLog.answered(asked('2'), 200);
  await accessLog.stop();
  expect(told()).toMatchObject([
    { type: 'AccessRefused', status: 404, endpoint: 'issue-list', projectId: 1, count: 1 },
    { type: 'AccessRefused', status: 403, endpoint: 'issue-list', projectId: 2, count: 1 },
  ]);
});
