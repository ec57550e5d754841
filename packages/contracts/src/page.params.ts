import type { AnyEndpoint } from './endpoint.ts';
import { described, fallback, int, oneOf, type Params, text } from './params.ts';

export const DEFAULT_PER_PAGE = 20;
/** Larger requests get this size. */
export const MAX_PER_PAGE = 100;
/** In characters; fits the longest branch name of a file system. */
const MAX_CURSOR = 8192;

/** Parameters of every list (companions.md 1.3). */
export const pageParams = {
  page: described(fallback(int({ min: 1 }), 1), 'Number of the page'),
  per_page: described(
    fallback(int({ min: 1 }), DEFAULT_PER_PAGE),
    `Most records on a page; more than ${MAX_PER_PAGE} counts as ${MAX_PER_PAGE}`,
  ),
  pagination: described(
    oneOf('keyset', 'legacy'),
    '`keyset`: pages that go on after the last record of the page before',
  ),
};

const cursor = described(
  text({ max: MAX_CURSOR }),
  'Of keyset pages: where the next one begins, from the Link header',
  // Unused where pages have numbers.
  { maxLength: undefined },
);
export const cursorParams = { cursor: { cursor }, page_token: { page_token: cursor } };

/** Pagination parameters of a list. */
export function listParams({ pagination, cursor: parameter }: AnyEndpoint): Params {
  return pagination === 'none' ? {} : { ...pageParams, ...cursorParams[parameter] };
}
