import type { Position } from './event.ts';

/** The read models did not catch up in time, so an answer would be stale. Maps to 503 with Retry-After. */
export class ProjectionLagError extends Error {
  override readonly name = 'ProjectionLagError';
}

/** The read models did not catch up after an append. The append happened; do not retry the command. */
export class UnseenAppendError extends Error {
  override readonly name = 'UnseenAppendError';
}

export class PositionWaiters {
  #waiting = new Set<{ position: Position; done: () => void; giveUp: (why: string) => void }>();

  wait(position: Position, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
      };
      const waiter = {
        position,
        done: () => {
          leave();
          resolve();
        },
        giveUp: (why: string) => {
          leave();
          reject(new ProjectionLagError(`position ${position} was not applied ${why}`));
        },
      };
      const timer = setTimeout(() => waiter.giveUp(`within ${timeoutMs} ms`), timeoutMs);
      this.#waiting.add(waiter);
    });
  }

  end(): void {
    for (const waiter of this.#waiting) waiter.giveUp('before the end');
  }

  reached(position: Position): void {
    for (const waiter of this.#waiting) if (waiter.position <= position) waiter.done();
  }
}
