/** Keeps what has more than a share of 1 / `most` of all (Misra and Gries): a key beyond the bound takes one off each. */
class FrequentKeys<Key> {
  readonly counts = new Map<Key, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(key: Key): void {
    const { counts } = this;
    const count = counts.get(key);
    if (count !== undefined || counts.size < this.#most) return void counts.set(key, (count ?? 0) + 1);
    for (const [other, others] of counts) {
      if (others === 1) counts.delete(other);
      else counts.set(other, others - 1);
    }
  }
}

/** Counts over a window of time that ends now. What was before it fades evenly over the length of a window. */
export class RecentCounts<Key> {
  readonly #windowMs: number;
  readonly #most: number;
  #begin = 0;
  #current: FrequentKeys<Key>;
  #previous: FrequentKeys<Key>;

  constructor({ windowMs, most }: { windowMs: number; most: number }) {
    this.#windowMs = windowMs;
    this.#most = most;
    this.#current = new FrequentKeys(most);
    this.#previous = new FrequentKeys(most);
  }

  /** @param now in milliseconds, never smaller than before */
  add(key: Key, now: number): void {
    this.#turn(now);
    this.#current.add(key);
  }

  read(now: number): Map<Key, number> {
    this.#turn(now);
    const rest = 1 - (now - this.#begin) / this.#windowMs;
    const counts = new Map(this.#current.counts);
    for (const [key, count] of this.#previous.counts) counts.set(key, (counts.get(key) ?? 0) + count * rest);
    return counts;
  }

  #turn(now: number): void {
    const windows = Math.floor((now - this.#begin) / this.#windowMs);
    if (windows < 1) return;
    this.#begin += windows * this.#windowMs;
    this.#previous = windows === 1 ? this.#current : new FrequentKeys(this.#most);
    this.#current = new FrequentKeys(this.#most);
  }
}

export const highest = <Key>(counts: Map<Key, number>, most: number): [Key, number][] =>
  [...counts].sort(([, a], [, b]) => b - a).slice(0, most);
