import type { Calls, Reply } from './calls.ts';

/** The address of the next page, and its cursor. */
export function nextOf(reply: Reply, parameter: string): [link?: string, cursor?: string] {
  const link = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
  return [link, (link && new URL(link).searchParams.get(parameter)) || undefined];
}

/** All items of a list page by page, as clients follow the links. `between` is told the first page before the second. */
export async function walkKeyset(
  forgelog: Calls & { url: string },
  path: string,
  options: { token?: string; between?: (first: Reply) => Promise<unknown> } = {},
) {
  const { token, between } = options;
  const items: unknown[] = [];
  const pages: Reply[] = [];
  let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}pagination=keyset`;
  while (next !== undefined) {
    const page: Reply = await forgelog.get(next, { token });
    if (page.status !== 200) throw new Error(`${next}: ${page.status} ${page.text}`);
    items.push(...page.body);
    pages.push(page);
    const [link] = nextOf(page, 'cursor');
    next = link?.slice(`${forgelog.url}/api/v4`.length);
    if (pages.length === 1 && next !== undefined) await between?.(page);
    if (pages.length > 1000) throw new Error(`${path} never ends`);
  }
  return { items, pages };
}
