import { LRUCache } from 'lru-cache';

/**
 * A cache in front of a read model. What was read before something was forgotten is never kept after it: a read may
 * still be on its way when the projection that changes the document says so, and would otherwise stay stale for ever.
 */
export class ReadThrough<K extends {}, V extends {}> {
  readonly #entries: LRUCache<K, V>;
  #forgotten = 0;

  constructor(capacity: number) {
    this.#entries = new LRUCache({ max: capacity });
  }

  /** What is at hand. */
  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** What is at hand, or what `load` gives; undefined is not kept. */
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
