export interface BackoffLimits {
  /** Failures within `windowMs` that begin a block. */
  failures: number;
  windowMs: number;
  /** The first block of a key; each later one is twice as long, up to `longestMs`. */
  firstMs: number;
  longestMs: number;
}

export interface BackoffEntry {
  readonly failures: number;
  readonly since: number;
  readonly blocks: number;
  readonly until: number;
}

export interface BackoffEntries {
  get(key: string): BackoffEntry | undefined;
  set(key: string, entry: BackoffEntry): unknown;
}

const SHORT_AGAIN_MS = 24 * 3_600_000;

/** Blocks a key for a while after too many failures. What it knows of a key is an entry, which others may keep. */
export class Backoff {
  readonly #limits: BackoffLimits;
  readonly #now: () => number;

  constructor(limits: BackoffLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** In milliseconds. 0 where the clock was set back since, so far that no block is as long. */
  blockedFor(entries: BackoffEntries, key: string): number {
    const ms = Math.max(0, (entries.get(key)?.until ?? 0) - this.#now());
    return ms > 2 * this.#limits.longestMs ? 0 : ms;
  }

  /** Returns the milliseconds of the block that this failure begins, else 0. */
  fail(entries: BackoffEntries, key: string): number {
    const { failures: most, windowMs, firstMs, longestMs } = this.#limits;
    const now = this.#now();
    const known = entries.get(key) ?? this.#nothing();
    const blocks = now - known.until >= SHORT_AGAIN_MS ? 0 : known.blocks;
    const isOver = Math.abs(now - known.since) >= windowMs;
    const failures = isOver ? 1 : known.failures + 1;
    if (failures < most) {
      entries.set(key, { failures, since: isOver ? now : known.since, blocks, until: known.until });
      return 0;
    }
    const ms = Math.min(firstMs * 2 ** blocks, longestMs);
    entries.set(key, { failures: 0, since: now, blocks: blocks + 1, until: now + ms });
    return ms;
  }

  /** Takes back a failure that was none. @param block what `fail` returned for it */
  forgive(entries: BackoffEntries, key: string, block: number): void {
    const known = entries.get(key);
    if (!known) return;
    const { failures, blocks } = known;
    if (block > 0)
      entries.set(key, {
        ...known,
        failures: this.#limits.failures - 1,
        blocks: blocks - 1,
        until: this.#now(),
      });
    else if (failures > 0) entries.set(key, { ...known, failures: failures - 1 });
  }

  forget(entries: BackoffEntries, key: string): void {
    if (entries.get(key)) entries.set(key, this.#nothing());
  }

  /** Whether nothing would change if the entry were forgotten. */
  isOver({ since, blocks, until }: BackoffEntry): boolean {
    const now = this.#now();
    return now - since >= this.#limits.windowMs && (blocks === 0 || now - until >= SHORT_AGAIN_MS);
  }

  #nothing(): BackoffEntry {
    const now = this.#now();
    return { failures: 0, since: now, blocks: 0, until: now };
  }
}
