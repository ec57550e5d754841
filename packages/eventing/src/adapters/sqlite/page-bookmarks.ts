import { LRUCache } from 'lru-cache';
import type { Scalar } from '../../query.ts';

type SortValues = readonly (Scalar | null)[];

interface Marks {
  version: number;
  ends: Map<number, SortValues>;
}

const LISTS = 200;
const MARKS = 1000;

/** The sort values at which pages of a list ended, so that a page by offset can seek. Valid until a change. */
export class PageBookmarks {
  readonly #lists = new LRUCache<string, Marks>({ max: LISTS });

  before(list: string, version: number, offset: number): { offset: number; after: SortValues } | undefined {
    const marks = this.#lists.get(list);
    if (marks?.version !== version) return undefined;
    const exact = marks.ends.get(offset);
    if (exact) return { offset, after: exact };
    let nearest = 0;
    for (const end of marks.ends.keys()) if (end < offset && end > nearest) nearest = end;
    const after = marks.ends.get(nearest);
    return after && { offset: nearest, after };
  }

  remember(list: string, version: number, offset: number, after: SortValues): void {
    let marks = this.#lists.get(list);
    if (marks?.version !== version) {
      marks = { version, ends: new Map() };
      this.#lists.set(list, marks);
    }
    if (marks.ends.size >= MARKS) marks.ends.delete(marks.ends.keys().next().value as number);
    marks.ends.set(offset, after);
  }

  clear(): void {
    this.#lists.clear();
  }
}
