import { z } from 'zod';

/* Pages of lists as one service asks another for them. */

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A place in a list: what its last item on a page has for each key of the list's order. */
const place = z.strictObject({ order: z.string(), values: z.array(scalar.nullable()).readonly() });

/** The page of a list that is asked for; `size` is 1..100. */
export const pageRequest = z.strictObject({
  number: z.int(),
  size: z.int().min(1).max(100),
  offset: z.int().min(0),
  keyset: z.strictObject({ parameter: z.string(), after: place.nullable() }).nullable(),
});

const nextPage = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('offset'), total: z.int().nullable(), more: z.boolean() }),
  z.strictObject({ by: z.literal('keyset'), after: place.nullable() }),
]);

/** One page: items as ready JSON, whose references are spliced in by whoever sends them, and what follows. */
export const readyPage = z.strictObject({ items: z.array(z.string()).readonly(), next: nextPage });
