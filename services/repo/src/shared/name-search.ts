import { type ArrayOrder, type PageRequest, pageOfArray } from '@forgelog/service-kit/pagination.ts';

/** Pages the given branches or tags, or those that match a search. @param by names the order */
export function pageOfNames<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  page: PageRequest,
  search: string | undefined,
  by: string,
  order: ArrayOrder<T>,
) {
  if (!search) return pageOfArray(items, page, by, order);
  const { finds, isWhole } = nameSearch(search);
  const found = items.filter((item) => finds(nameOf(item)));
  const wholeFirst = [true, false].flatMap((whole) =>
    found.filter((item) => isWhole(nameOf(item)) === whole),
  );
  return pageOfArray(wholeFirst, page, `${by} ${search}`, [
    { of: (item) => isWhole(nameOf(item)), direction: 'desc' },
    ...order,
  ]);
}

/**
 * Matches names case-insensitively: `text` inside, `^text` at the start, `text$` at the end, `^text$` exactly. Exact
 * matches come first. It never runs a regular expression.
 */
function nameSearch(search: string) {
  const fromStart = search.startsWith('^');
  const toEnd = search.length > (fromStart ? 1 : 0) && search.endsWith('$');
  const wanted = search.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined).toLowerCase();
  const isWhole = (name: string) => name.toLowerCase() === wanted;
  return {
    isWhole,
    finds(name: string): boolean {
      if (fromStart && toEnd) return isWhole(name);
      const lower = name.toLowerCase();
      if (fromStart) return lower.startsWith(wanted);
      return toEnd ? lower.endsWith(wanted) : lower.includes(wanted);
    },
  };
}
