import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { RateLimiterRes } from 'rate-limiter-flexible';

const LIMIT = 5;
const WINDOW_SECONDS = 60;

export interface ArchiveLimit {
  /** Resolves to undefined for other endpoints. @throws Rejection 429 for the sixth archive within a minute [L522] */
  check(
    endpoint: AnyEndpoint,
    principal: Principal | null,
    clientAddress: string | null,
  ): Promise<void> | undefined;
}

/** Allows five archives a minute per user, or per IP address for anonymous callers. */
export function createArchiveLimit(): ArchiveLimit {
  // Loaded with the first archive: the package brings a limiter for each kind of database.
  async function open() {
    const { RateLimiterMemory, RateLimiterRes } = await import('rate-limiter-flexible');
    const limiter = new RateLimiterMemory({ points: LIMIT, duration: WINDOW_SECONDS });
    return (caller: string) =>
      limiter.consume(caller).catch((refused: unknown) => {
        throw refused instanceof RateLimiterRes ? tooMany(refused) : refused;
      });
  }

  let limiter: ReturnType<typeof open> | undefined;
  async function take(caller: string): Promise<void> {
    limiter ??= open();
    const consume = await limiter;
    await consume(caller);
  }

  return {
    check(endpoint, principal, clientAddress) {
      if (!endpoint.id.startsWith('repo-archive')) return undefined;
      return take(principal ? `user ${principal.userId}` : `address ${clientAddress}`);
    },
  };
}

/** Adds the headers from which clients of this API family compute their pause. */
function tooMany({ msBeforeNext, consumedPoints }: RateLimiterRes): Rejection {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  const reset = Math.ceil(Date.now() / 1000) + seconds;
  return new Rejection('too_many_requests', undefined, {
    'Retry-After': String(seconds),
    'RateLimit-Name': 'archives',
    'RateLimit-Limit': String(LIMIT),
    'RateLimit-Observed': String(consumedPoints),
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': String(reset),
    'RateLimit-ResetTime': new Date(reset * 1000).toUTCString(),
  });
}
