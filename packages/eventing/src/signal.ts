/** Loses no wake-up: read `count`, check the condition, then wait with `raised(count)`. */
export class Signal {
  count = 0;
  #waiting = new Set<Waiter>();
  /** Those that wake their waiters already. A listener for each wait would cost a walk over all listeners. */
  readonly #heard = new WeakSet<AbortSignal>();

  raise(): void {
    this.count++;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const { wake } of waiting) wake();
  }

  raised(since: number, abort: AbortSignal): Promise<void> {
    if (this.count !== since || abort.aborted) return Promise.resolve();
    this.#hear(abort);
    return new Promise((wake) => void this.#waiting.add({ abort, wake }));
  }

  #hear(abort: AbortSignal): void {
    if (this.#heard.has(abort)) return;
    this.#heard.add(abort);
    abort.addEventListener('abort', () => this.#wakeWaitersOf(abort), { once: true });
  }

  #wakeWaitersOf(abort: AbortSignal): void {
    for (const waiter of this.#waiting) {
      if (waiter.abort !== abort) continue;
      this.#waiting.delete(waiter);
      waiter.wake();
    }
  }
}

interface Waiter {
  abort: AbortSignal;
  wake: () => void;
}
