import { MAX_COUNTED, type PageRequest } from '@forgelog/service-kit/pagination.ts';

/** One page of what is in memory whole, with what the answer says of the rest. */
export function pageOfArray<T>(items: readonly T[], page: PageRequest) {
  const total = items.length > MAX_COUNTED ? null : items.length;
  return {
    items: items.slice(page.offset, page.offset + page.size),
    next: { total, more: items.length > page.offset + page.size },
  };
}
