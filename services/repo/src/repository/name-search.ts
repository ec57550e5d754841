/**
 * The names that a search finds, in any case: those that hold the text, that begin with it (`^text`), that end
 * with it (`text$`), or that are it (`^text$`). A name that is the text comes first. No pattern is ever run.
 */
export function searchNames<T extends { name: string }>(
  items: readonly T[],
  search: string | undefined,
): T[] {
  if (search === undefined || search === '') return [...items];
  const fromStart = search.startsWith('^');
  const toEnd = search.length > (fromStart ? 1 : 0) && search.endsWith('$');
  const wanted = search.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined).toLowerCase();
  const found = items.filter(({ name }) => {
    const lower = name.toLowerCase();
    if (fromStart && toEnd) return lower === wanted;
    if (fromStart) return lower.startsWith(wanted);
    return toEnd ? lower.endsWith(wanted) : lower.includes(wanted);
  });
  const exact = found.findIndex(({ name }) => name.toLowerCase() === wanted);
  if (exact > 0) found.unshift(...found.splice(exact, 1));
  return found;
}
