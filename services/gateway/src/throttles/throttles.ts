import { hash } from 'node:crypto';
import { SETTING_FALLBACKS } from '@forgelog/contracts/admin/settings/application-settings.ts';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { networkOf } from '@forgelog/service-kit/network.ts';
import { callerKey, type Principal, userIdOf } from '@forgelog/service-kit/principal.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import type { RequestRecord } from '../request-record.ts';
import type { Taken, ThrottleCounts } from './throttle-counts.ts';
import { createThrottleRules, type ThrottledRequest, type ThrottleRule } from './throttle-rules.ts';

export interface Throttles {
  /**
   * Counts a request, and refuses it where its caller asks too often. Nothing was done for it until then but finding out
   * who calls. @throws Throttled, Rejection 429
   */
  admit(kind: ThrottledRequest['kind'], request: ThrottleRequest): void | Promise<void>;
}

export interface ThrottleRequest {
  method: string;
  record: RequestRecord;
  principal: Principal | null;
  endpoint?: AnyEndpoint | undefined;
  pathParams?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The refusal of all requests of a kind: its text is plain, as settings say it. */
export class Throttled extends Error {
  readonly status = 429;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(text: string, headers: Record<string, string>) {
    super(text);
    this.body = `${text}\n`;
    this.headers = headers;
  }
}

export interface ThrottlePorts {
  directory: Pick<Directory, 'settings'>;
  counts: ThrottleCounts;
  log: Logger;
  metrics: Metrics;
  /** Milliseconds since 1970. */
  now: () => number;
}

export function createThrottles({ directory, counts, log, metrics, now }: ThrottlePorts): Throttles {
  const throttled = metrics.counter({
    name: 'forgelog_throttled_requests_total',
    help: 'Requests refused because their caller asked too often, by throttle.',
    labels: ['throttle'],
  });
  let known: object | undefined;
  let rulesOf: ReturnType<typeof createThrottleRules>;

  function judge(
    set: object,
    kind: ThrottledRequest['kind'],
    request: ThrottleRequest,
  ): void | Promise<void> {
    if (set !== known) {
      rulesOf = createThrottleRules({ ...SETTING_FALLBACKS, ...set });
      known = set;
    }
    const { method, record, principal, endpoint } = request;
    const rules = rulesOf({ kind, method, path: record.path, principal, endpoint });
    return rules.length === 0 ? undefined : takeFrom(0, rules, request);
  }

  /** Stays synchronous while no rule waits for other gateways. */
  function takeFrom(
    first: number,
    rules: readonly ThrottleRule[],
    request: ThrottleRequest,
  ): void | Promise<void> {
    for (let at = first; at < rules.length; at += 1) {
      const rule = rules[at]!;
      if (rule.allowed.has(request.principal?.username.toLowerCase() ?? '')) continue;
      const taken = counts.take(rule, callerOf(rule, request));
      if (taken instanceof Promise)
        return taken.then((late) => {
          requireAdmitted(rule, late, request);
          return takeFrom(at + 1, rules, request);
        });
      requireAdmitted(rule, taken, request);
    }
  }

  function requireAdmitted(rule: ThrottleRule, taken: Taken, { record, principal }: ThrottleRequest): void {
    if (taken.admitted) return;
    throttled.of(rule.name).add();
    const { requestId, clientAddress: client } = record;
    const user = userIdOf(principal) ?? undefined;
    log.info({ requestId, throttle: rule.name, observed: taken.observed, user, client }, 'request throttled');
    const headers = headersOf(rule, taken, now());
    throw rule.text === undefined
      ? new Rejection('too_many_requests', undefined, headers)
      : new Throttled(rule.text, headers);
  }

  return {
    admit(kind, request) {
      const set = directory.settings();
      return set instanceof Promise
        ? set.then((loaded) => judge(loaded, kind, request))
        : judge(set, kind, request);
    },
  };
}

function callerOf({ by }: ThrottleRule, { record, principal, pathParams }: ThrottleRequest): string {
  if (by === 'file') {
    const { id = '', ...file } = pathParams ?? {};
    return hash('sha256', JSON.stringify([id.toLowerCase(), file]), 'base64url').slice(0, 22);
  }
  if (by === 'caller' && principal) return `user ${principal.onBehalfBy ?? callerKey(principal)}`;
  return networkOf(record.clientAddress);
}

const MINUTE_MS = 60_000;

/** What clients of this API family compute their pause from. `RateLimit-Limit` is that of a minute, rounded up. */
function headersOf(
  { name, limit, periodMs }: ThrottleRule,
  { observed, endsAt }: Taken,
  at: number,
): Record<string, string> {
  const reset = Math.ceil(endsAt / 1000);
  return {
    'RateLimit-Name': name,
    'RateLimit-Limit': String(Math.ceil((limit * MINUTE_MS) / periodMs)),
    'RateLimit-Observed': String(observed),
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': String(reset),
    'RateLimit-ResetTime': new Date(reset * 1000).toUTCString(),
    'Retry-After': String(Math.max(1, Math.ceil((endsAt - at) / 1000))),
  };
}
