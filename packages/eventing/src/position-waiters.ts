import type { Position } from './event.ts';

/** The read models did not catch up in time: an answer would be from the past. A 503 with Retry-After. */
export class ProjectionLagError extends Error {
  override readonly name = 'ProjectionLagError';
}

/** The same after an append: what was written is written, and repeating the command would do it again. */
export class UnseenAppendError extends Error {
  override readonly name = 'UnseenAppendError';
}

/** Who waits until a position is reached. */
export class PositionWaiters {
  #waiting = new Set<{ position: Position; done: () => void }>();

  /** Resolves when `reached` was called with `position` or a later one. @throws ProjectionLagError */
  wait(position: Position, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = {
        position,
        done: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(new ProjectionLagError(`position ${position} was not applied within ${timeoutMs} ms`));
      }, timeoutMs);
      this.#waiting.add(waiter);
    });
  }

  reached(position: Position): void {
    for (const waiter of this.#waiting) if (waiter.position <= position) waiter.done();
  }
}
