import type { LookupAddress, LookupOptions } from 'node:dns';
import { LRUCache } from 'lru-cache';

type Found = (error: Error | null, addresses: LookupAddress[]) => void;
/** `lookup` of node:dns with `all`. */
type Lookup = (hostname: string, options: LookupOptions & { all: true }, done: Found) => void;

/** A name that is not known is not asked for again within so many milliseconds. */
const UNKNOWN_MS = 5_000;
const MOST_UNKNOWN = 1_000;

/**
 * Looks names up, a few at a time: each lookup holds a thread that files need, too, for as long as the name's server
 * likes. Those who ask for one name at the same time share an answer, and one that failed stands for a moment, so that a
 * thousand hooks with a name that is gone do not keep all others waiting. An address is never kept.
 */
export function createNameLookups(
  lookup: Lookup,
  { atOnce, now = () => performance.now() }: { atOnce: number; now?: () => number },
) {
  const waiting: (() => void)[] = [];
  const asking = new Map<string, Found[]>();
  const unknown = new LRUCache<string, Error>({
    max: MOST_UNKNOWN,
    ttl: UNKNOWN_MS,
    ttlResolution: 0,
    perf: { now },
  });
  let running = 0;

  function begin(key: string, hostname: string, options: LookupOptions): void {
    running += 1;
    lookup(hostname, { ...options, all: true }, (error, found) => {
      running -= 1;
      if (error) unknown.set(key, error);
      const asked = asking.get(key) ?? [];
      asking.delete(key);
      waiting.shift()?.();
      for (const done of asked) done(error, found);
    });
  }

  return {
    run(hostname: string, options: LookupOptions, done: Found): void {
      const key = JSON.stringify([hostname, options.family, options.hints, options.order]);
      const failed = unknown.get(key);
      if (failed) return void setImmediate(done, failed, []);
      const others = asking.get(key);
      if (others) return void others.push(done);
      asking.set(key, [done]);
      if (running < atOnce) begin(key, hostname, options);
      else waiting.push(() => begin(key, hostname, options));
    },
  };
}
