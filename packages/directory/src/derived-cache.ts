import { ReadThrough } from '@forgelog/eventing/read-through.ts';
import type { Directory } from './directory.ts';

/**
 * Keeps what was derived from people, places and rights, as long as none of them changes and the day is the same
 * (memberships and tokens end by the day). Emptied as a whole: such changes are rare beside requests.
 */
export class DerivedCache<K extends {}, V extends {}> {
  readonly #directory: Pick<Directory, 'changes' | 'today'>;
  readonly #known: ReadThrough<K, V>;
  #changes = 0;
  #day = '';

  constructor(directory: Pick<Directory, 'changes' | 'today'>, capacity: number) {
    this.#directory = directory;
    this.#known = new ReadThrough(capacity);
  }

  /** What is known of it, at once, or what `derive` gives; undefined is not kept. */
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
