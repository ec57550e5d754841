import type { LRUCache } from 'lru-cache';
import { createLru } from './lru.ts';

/** A cache that does not keep a value whose read began before a `forget`: it would stay stale forever. */
export class ReadThrough<K extends {}, V extends {}> {
  readonly #entries: LRUCache<K, V>;
  #forgotten = 0;

  constructor(capacity: number) {
    this.#entries = createLru(capacity);
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Does not cache undefined. */
  async read(key: K, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const before = this.#forgotten;
    const loaded = await load();
    if (loaded !== undefined && before === this.#forgotten) this.#entries.set(key, loaded);
    return loaded;
  }

  /** Loads what is missing at once. Does not cache what `load` does not find. */
  async readAll(
    keys: readonly K[],
    load: (missing: K[]) => Promise<Iterable<readonly [K, V]>>,
  ): Promise<Map<K, V>> {
    const found = new Map<K, V>();
    const missing: K[] = [];
    for (const key of keys) {
      const known = this.#entries.get(key);
      if (known === undefined) missing.push(key);
      else found.set(key, known);
    }
    if (missing.length === 0) return found;
    const before = this.#forgotten;
    for (const [key, value] of await load(missing)) {
      found.set(key, value);
      if (before === this.#forgotten) this.#entries.set(key, value);
    }
    return found;
  }

  forget(key: K): void {
    this.#forgotten += 1;
    this.#entries.delete(key);
  }

  forgetAll(): void {
    this.#forgotten += 1;
    this.#entries.clear();
  }
}
