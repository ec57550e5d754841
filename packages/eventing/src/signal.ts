/** Loses no wake-up: read `count`, check the condition, then wait with `raised(count)`. */
export class Signal {
  count = 0;
  #waiting = new Set<() => void>();

  raise(): void {
    this.count++;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  }

  raised(since: number, abort: AbortSignal): Promise<void> {
    if (this.count !== since || abort.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        abort.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      abort.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }
}
