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

  forget(key: K): void {
    this.#forgotten += 1;
    this.#entries.delete(key);
  }

  forgetAll(): void {
    this.#forgotten += 1;
    this.#entries.clear();
  }
}
