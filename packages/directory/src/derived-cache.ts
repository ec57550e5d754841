import { ReadThrough } from '@forgelog/eventing/read-through.ts';
import type { Directory } from './directory.ts';

/** Caches values until users, places or rights change, or the day ends. Changes are rare, so they clear all. */
export class DerivedCache<K extends {}, V extends {}> {
  readonly #directory: Pick<Directory, 'changes' | 'today'>;
  readonly #known: ReadThrough<K, V>;
  #changes = 0;
  #day = '';

  constructor(directory: Pick<Directory, 'changes' | 'today'>, capacity: number) {
    this.#directory = directory;
    this.#known = new ReadThrough(capacity);
  }

  /** Synchronous on a cache hit; undefined is not cached. */
  read(key: K, derive: () => Promise<V | undefined>): V | Promise<V | undefined> {
    const changes = this.#directory.changes;
    const day = this.#directory.today();
    if (changes !== this.#changes || day !== this.#day) {
      this.#known.forgetAll();
      this.#changes = changes;
      this.#day = day;
    }
    return this.#known.get(key) ?? this.#known.read(key, derive);
  }

  forgetAll(): void {
    this.#known.forgetAll();
  }
}
