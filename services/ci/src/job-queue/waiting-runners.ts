import type { RunnerRow } from '../runners/runners.projection.ts';

interface Waiter {
  runner: RunnerRow;
  until: number;
  end(isWoken: boolean): void;
}

const TICK_MS = 1000;

/** Requests that are held until there may be a job. One timer serves all of them. */
export function createWaitingRunners(now: () => number) {
  // In the order of their arrival.
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  let isDraining = false;

  function tick(): void {
    for (const waiter of waiters) if (waiter.until <= now()) waiter.end(false);
  }

  return {
    get size() {
      return waiters.size;
    },
    /** Resolves with true when somebody wakes the runner, with false at the end of its time or when it leaves. */
    wait(runner: RunnerRow, milliseconds: number, signal: AbortSignal): Promise<boolean> {
      if (isDraining || signal.aborted || milliseconds <= 0) return Promise.resolve(false);
      return new Promise((resolve) => {
        const leave = () => waiter.end(false);
        const waiter: Waiter = {
          runner,
          until: now() + milliseconds,
          end(isWoken) {
            waiters.delete(waiter);
            signal.removeEventListener('abort', leave);
            if (waiters.size === 0) clearInterval(timer);
            resolve(isWoken);
          },
        };
        signal.addEventListener('abort', leave);
        if (waiters.size === 0) timer = setInterval(tick, TICK_MS).unref();
        waiters.add(waiter);
      });
    },
    /** Wakes the one that waits longest among those that may get it. */
    async wakeOne(mayServe: (runner: RunnerRow) => boolean | Promise<boolean>): Promise<void> {
      for (const waiter of waiters) {
        if (!(await mayServe(waiter.runner)) || !waiters.has(waiter)) continue;
        waiter.end(true);
        return;
      }
    },
    wakeAll(holds: (runner: RunnerRow) => boolean = () => true): void {
      for (const waiter of [...waiters]) if (holds(waiter.runner)) waiter.end(true);
    },
    drain(): void {
      isDraining = true;
      for (const waiter of [...waiters]) waiter.end(false);
    },
  };
}
