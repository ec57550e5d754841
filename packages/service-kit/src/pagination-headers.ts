import type { NextPage } from './answer.ts';
import type { KeysetPosition } from './cursor.ts';
import type { PageRequest } from './pagination.ts';

export interface Links {
  base: string;
  parameters: readonly (readonly [string, string])[];
  cursorOf(position: KeysetPosition): readonly [string, string];
}

const PAGE_PARAMETERS = ['page', 'cursor', 'page_token'];

/** Links keep the request's other parameters. Keyset pages link only the next page. */
export function paginationHeaders(
  next: NextPage,
  page: PageRequest,
  links: Links,
  withTotals: boolean,
): Record<string, string> {
  if ((next.by === 'keyset') !== (page.keyset !== null))
    throw new Error(
      `${links.base}: the handler returned a page by ${next.by}, the request asked for the other kind`,
    );
  const kept = (...own: string[]) => {
    const others = links.parameters.filter(
      ([name]) => !PAGE_PARAMETERS.includes(name) && !own.includes(name),
    );
    const query = others.length === 0 ? '' : `${new URLSearchParams(others as [string, string][])}&`;
    return `<${links.base}?${query}`;
  };
  if (next.by === 'keyset') {
    if (next.after === null) return {};
    const [name, cursor] = links.cursorOf(next.after);
    const begin = kept('pagination', 'per_page', name);
    return { Link: `${begin}pagination=keyset&per_page=${page.size}&${name}=${cursor}>; rel="next"` };
  }
  const begin = kept('per_page');
  const to = (number: number, rel: string) => `${begin}page=${number}&per_page=${page.size}>; rel="${rel}"`;
  const total = withTotals ? next.total : null;
  const pages = total === null ? null : Math.max(1, Math.ceil(total / page.size));
  const hasNext = pages === null ? next.more : page.number < pages;
  const rels: string[] = [];
  if (page.number > 1) rels.push(to(page.number - 1, 'prev'));
  if (hasNext) rels.push(to(page.number + 1, 'next'));
  rels.push(to(1, 'first'));
  if (pages !== null) rels.push(to(pages, 'last'));
  return {
    Link: rels.join(', '),
    'X-Page': String(page.number),
    'X-Per-Page': String(page.size),
    'X-Next-Page': hasNext ? String(page.number + 1) : '',
    'X-Prev-Page': page.number > 1 ? String(page.number - 1) : '',
    ...(pages === null ? {} : { 'X-Total': String(total), 'X-Total-Pages': String(pages) }),
  };
}
