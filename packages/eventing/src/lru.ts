import { LRUCache } from 'lru-cache';

/** Grows with its values; a `max` reserves room for all of them, and walks through it whenever the cache is emptied. */
export const createLru = <K extends {}, V extends {}>(capacity: number): LRUCache<K, V> =>
  new LRUCache({ maxSize: capacity, sizeCalculation: () => 1 });
