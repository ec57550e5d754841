/** Wakes who waits for the next time that something happens. What happened since `count` was read is not missed. */
export class Signal {
  count = 0;
  #waiting: (() => void)[] = [];

  raise(): void {
    this.count++;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves when it was raised after `count` was `since`, or when `abort` aborts. */
  raised(since: number, abort: AbortSignal): Promise<void> {
    if (this.count !== since || abort.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        abort.removeEventListener('abort', wake);
        this.#waiting = this.#waiting.filter((other) => other !== wake);
        resolve();
      };
      abort.addEventListener('abort', wake);
      this.#waiting.push(wake);
    });
  }
}
