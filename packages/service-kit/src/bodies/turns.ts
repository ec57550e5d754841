interface Waiting {
  caller: string;
  bytes: number;
  begin(): void;
}

export class NoTurnError extends Error {
  override readonly name = 'NoTurnError';
}

/**
 * Lets callers hold large amounts of memory by turns: in order, one a caller at a time, and only as many as fit
 * together. A single one may exceed the limit.
 */
export class Turns {
  readonly #mostBytes: number;
  readonly #waitMs: number;
  readonly #waiting = new Set<Waiting>();
  readonly #active = new Set<string>();
  #bytes = 0;

  constructor({ mostBytes, waitMs }: { mostBytes: number; waitMs: number }) {
    this.#mostBytes = mostBytes;
    this.#waitMs = waitMs;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves with what ends the turn. @throws NoTurnError, or the signal's reason */
  wait(caller: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (error: unknown) => {
        settle();
        reject(error);
        this.#next();
      };
      const abort = () => leave(signal.reason);
      const timer = setTimeout(
        () => leave(new NoTurnError(`no turn within ${this.#waitMs} ms`)),
        this.#waitMs,
      );
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        caller,
        bytes,
        begin: () => {
          settle();
          this.#active.add(caller);
          this.#bytes += bytes;
          resolve(() => {
            this.#active.delete(caller);
            this.#bytes -= bytes;
            this.#next();
          });
        },
      };
      this.#waiting.add(waiting);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort);
      this.#next();
    });
  }

  #next(): void {
    for (const waiting of [...this.#waiting]) {
      if (this.#active.has(waiting.caller)) continue;
      // Whoever needs much is not overtaken by those who need little, or it would wait for ever.
      if (this.#active.size > 0 && this.#bytes + waiting.bytes > this.#mostBytes) return;
      waiting.begin();
    }
  }
}
