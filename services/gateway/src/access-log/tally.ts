export interface Counted<Facts> {
  facts: Facts;
  count: number;
  /** In milliseconds. */
  firstAt: number;
  lastAt: number;
}

interface Entry<Facts> extends Counted<Facts> {
  isNew: boolean;
  endsAt: number;
}

/**
 * Counts what happens alike in windows of time. Windows end on multiples of their length, so that none spans two days in
 * UTC. Each cause is handed out at most twice a window: as soon as it is new, and at the end what followed.
 */
export class Tally<Facts> {
  readonly #windowMs: number;
  readonly #most: number;
  readonly #entries = new Map<string, Entry<Facts>>();
  #ended: Counted<Facts>[] = [];

  constructor({ windowMs, most }: { windowMs: number; most: number }) {
    this.#windowMs = windowMs;
    this.#most = most;
  }

  /** Counts what is known already in this window; false for what is not. */
  repeats(cause: string, now: number, count = 1): boolean {
    const entry = this.#entries.get(cause);
    if (!entry || now >= entry.endsAt) return false;
    if (entry.count === 0) entry.firstAt = now;
    entry.count += count;
    entry.lastAt = now;
    return true;
  }

  /** Begins to count a cause that does not repeat; false where there are too many. */
  begin(cause: string, now: number, facts: Facts, count = 1): boolean {
    const before = this.#entries.get(cause);
    if (before) this.#end(cause, before);
    if (this.#entries.size >= this.#most) return false;
    const endsAt = (Math.floor(now / this.#windowMs) + 1) * this.#windowMs;
    this.#entries.set(cause, { facts, count, firstAt: now, lastAt: now, isNew: true, endsAt });
    return true;
  }

  /** Hands out what is new, and the rest of ended windows. @param all what has not ended too */
  take(now: number, all = false): Counted<Facts>[] {
    for (const [cause, entry] of this.#entries) {
      if (now >= entry.endsAt) this.#end(cause, entry);
      else if ((all || entry.isNew) && entry.count > 0) this.#handOut(entry);
    }
    const taken = this.#ended;
    this.#ended = [];
    return taken;
  }

  #end(cause: string, entry: Entry<Facts>): void {
    this.#entries.delete(cause);
    if (entry.count > 0) this.#handOut(entry);
  }

  #handOut(entry: Entry<Facts>): void {
    const { facts, count, firstAt, lastAt } = entry;
    this.#ended.push({ facts, count, firstAt, lastAt });
    entry.count = 0;
    entry.isNew = false;
  }
}
