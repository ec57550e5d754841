import { createLru } from '@forgelog/eventing/lru.ts';
import type { Count, ThrottleExchange } from './throttle-exchange.ts';
import type { ThrottleRule } from './throttle-rules.ts';

/** How often a caller asked in the window that a request fell into. */
export interface Taken {
  admitted: boolean;
  /** Requests of the window, refused ones included. */
  observed: number;
  /** The end of the window, in milliseconds. */
  endsAt: number;
}

export interface ThrottleCounts {
  /** Answers at once, unless the caller is near their limit and other gateways may know more. */
  take(rule: ThrottleRule, caller: string): Taken | Promise<Taken>;
}

/** Beyond these, the caller who was quiet for longest is forgotten. */
const CALLERS = 100_000;

/**
 * Counts requests by caller, in windows that begin at multiples of their period: so all gateways have the same ones.
 * @param now milliseconds since 1970
 */
export function createThrottleCounts(
  now: () => number,
  exchange?: ThrottleExchange,
  callers = CALLERS,
): ThrottleCounts {
  const counts = createLru<string, Count>(callers);

  function countOf({ name, limit, periodMs }: ThrottleRule, caller: string): Count {
    const key = `${name} ${caller}`;
    const endsAt = (Math.floor(now() / periodMs) + 1) * periodMs;
    const known = counts.get(key);
    if (known?.endsAt === endsAt) {
      known.limit = limit;
      return known;
    }
    const count = { key, endsAt, limit, asked: 0, admitted: 0, told: 0, others: 0, waiting: [] };
    counts.set(key, count);
    return count;
  }

  return {
    take(rule, caller) {
      const count = countOf(rule, caller);
      count.asked += 1;
      const taken = (admitted: boolean): Taken => {
        const { asked, others, endsAt } = count;
        return { admitted, observed: asked + others, endsAt };
      };
      if (count.admitted + count.others >= count.limit) return taken(false);
      const answer = exchange?.ask(count);
      if (answer) return answer.then(taken);
      count.admitted += 1;
      return taken(true);
    },
  };
}
