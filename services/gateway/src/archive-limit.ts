import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';

const LIMIT = 5;
const WINDOW_MS = 60_000;
const MAX_CALLERS = 100_000;

export interface ArchiveLimit {
  /** @throws 429 on the sixth archive within a minute [L522] */
  check(endpoint: AnyEndpoint, principal: Principal | null, request: IncomingMessage): void;
}

/** Five archives a minute for a user, or for an address where nobody is signed in. */
export function createArchiveLimit(now: () => number): ArchiveLimit {
  const calls = new Map<string, { since: number; count: number }>();
  return {
    check(endpoint, principal, request) {
      if (!endpoint.id.startsWith('repo-archive')) return;
      const caller = principal ? `user ${principal.userId}` : `address ${request.socket.remoteAddress}`;
      const known = calls.get(caller);
      const window = known && now() - known.since < WINDOW_MS ? known : { since: now(), count: 0 };
      window.count += 1;
      calls.delete(caller);
      calls.set(caller, window);
      if (calls.size > MAX_CALLERS) calls.delete(calls.keys().next().value as string);
      if (window.count <= LIMIT) return;
      const seconds = Math.ceil((window.since + WINDOW_MS - now()) / 1000);
      throw new Rejection('too_many_requests', undefined, { 'Retry-After': String(Math.max(1, seconds)) });
    },
  };
}
