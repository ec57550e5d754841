import { z } from 'zod';
import { pageRequest } from './page.ts';

/* What the services that find things for a search are asked. */

/** Characters of a search. */
export const LONGEST_SEARCH = 4096;
/** Words of a search. */
export const MOST_SEARCHED_WORDS = 32;

/** Where to look: undefined of both for the whole instance. */
const place = {
  groupId: z.int().nullable(),
  projectId: z.int().nullable(),
};

export const searchRequest = {
  ...place,
  search: z.string().max(LONGEST_SEARCH),
  /** null: the best first. */
  byTime: z.enum(['asc', 'desc']).nullable(),
  page: pageRequest,
};
