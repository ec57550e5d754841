import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '@forgelog/eventing/event-store.ts';

/** What a process sees of the log, slowed down or stopped by the test: appends and reads of it are what they were. */
export interface Valve {
  logOf: (store: EventStore) => EventStore;
  /** From now on new events come so much later to who follows the log. */
  delay(ms: number): void;
  /** From now on no event comes to who follows the log. */
  stop(): void;
  go(): void;
}

export function valve(): Valve {
  let ms = 0;
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  return {
    logOf: (store) => ({
      ...store,
      async *subscribe(options) {
        const aborted = new Promise<void>((resolve) =>
          options.signal.addEventListener('abort', () => resolve(), { once: true }),
        );
        for await (const batch of store.subscribe(options)) {
          if (ms > 0) await sleep(ms, undefined, { signal: options.signal }).catch(() => {});
          await Promise.race([gate.promise, aborted]);
          if (options.signal.aborted) return;
          yield batch;
        }
      },
    }),
    delay(given) {
      ms = given;
    },
    stop() {
      gate = Promise.withResolvers<void>();
    },
    go: () => gate.resolve(),
  };
}
