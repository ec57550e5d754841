import { createLru } from '@forgelog/eventing/lru.ts';

export interface BackoffLimits {
  /** Failures within `windowMs` that begin a block. */
  failures: number;
  windowMs: number;
  /** The first block of a key; each later one is twice as long, up to `longestMs`. */
  firstMs: number;
  longestMs: number;
}

interface Entry {
  failures: number;
  since: number;
  blocks: number;
  until: number;
}

const SHORT_AGAIN_MS = 24 * 3_600_000;
const KEYS = 50_000;

/** Blocks a key for a while after too many failures. Its keys are bounded, because strangers choose them. */
export class Backoff {
  readonly #limits: BackoffLimits;
  readonly #now: () => number;
  readonly #entries = createLru<string, Entry>(KEYS);

  constructor(limits: BackoffLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** In milliseconds. */
  blockedFor(key: string): number {
    return Math.max(0, (this.#entries.get(key)?.until ?? 0) - this.#now());
  }

  /** Returns the milliseconds of the block that this failure begins, else 0. */
  fail(key: string): number {
    const { failures, windowMs, firstMs, longestMs } = this.#limits;
    const now = this.#now();
    const entry = this.#entries.get(key) ?? { failures: 0, since: now, blocks: 0, until: now };
    if (now - entry.since >= windowMs) Object.assign(entry, { failures: 0, since: now });
    if (now - entry.until >= SHORT_AGAIN_MS) entry.blocks = 0;
    entry.failures += 1;
    this.#entries.set(key, entry);
    if (entry.failures < failures) return 0;
    const ms = Math.min(firstMs * 2 ** entry.blocks, longestMs);
    Object.assign(entry, { failures: 0, since: now, blocks: entry.blocks + 1, until: now + ms });
    return ms;
  }

  /** Takes back a failure that was none. @param block what `fail` returned for it */
  forgive(key: string, block: number): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    if (block > 0)
      Object.assign(entry, {
        failures: this.#limits.failures - 1,
        blocks: entry.blocks - 1,
        until: this.#now(),
      });
    else if (entry.failures > 0) entry.failures -= 1;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
