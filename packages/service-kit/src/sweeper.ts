import type { Logger } from './log.ts';
import type { Worker } from './slice.ts';

const TICK_MS = 1000;
const DAY_MS = 86_400_000;

/**
 * Sweeps at the start, every so many seconds, and when a day begins (UTC), by a clock that may jump. One sweep at a time;
 * a failed one is logged and comes again. `signal` aborts at the stop.
 */
export function createSweeper(
  { clock, log }: { clock: () => Date; log: Pick<Logger, 'error'> },
  what: string,
  sweep: (signal: AbortSignal) => Promise<void>,
  { everySeconds = 60 }: { everySeconds?: number } = {},
): Worker {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let ticks = 0;
  let day = Number.NaN;

  function tick(): void {
    if (running) return;
    const today = Math.floor(clock().getTime() / DAY_MS);
    if (today === day && ++ticks < everySeconds) return;
    ticks = 0;
    day = today;
    running = sweep(ending.signal)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) log.error({ err: error }, `${what}: the sweep failed and comes again`);
      })
      .finally(() => {
        running = undefined;
      });
  }

  return {
    async start() {
      tick();
      timer = setInterval(tick, TICK_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}
