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
  #waiting = new Set<{ position: Position; done: () => void; giveUp: (why: string) => void }>();

  /** Resolves when `reached` was called with `position` or a later one. @throws ProjectionLagError */
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

  /** Whoever still waits would wait in vain. */
  end(): void {
    for (const waiter of this.#waiting) waiter.giveUp('before the end');
  }

  reached(position: Position): void {
    for (const waiter of this.#waiting) if (waiter.position <= position) waiter.done();
  }
}
