import { z } from 'zod';

/* Pages of lists between services. */

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A position in a list: the sort keys of the last item on a page. */
const position = z.strictObject({ order: z.string(), values: z.array(scalar.nullable()).readonly() });

/** The requested page; `size` is 1 to 100. */
export const pageRequest = z.strictObject({
  number: z.int(),
  size: z.int().min(1).max(100),
  offset: z.int().min(0),
  keyset: z.strictObject({ parameter: z.string(), after: position.nullable() }).nullable(),
});

const nextPage = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('offset'), total: z.int().nullable(), more: z.boolean() }),
  z.strictObject({ by: z.literal('keyset'), after: position.nullable() }),
]);

/** Items as JSON templates, whose placeholders the caller fills in, and the next page. */
export const readyPage = z.strictObject({ items: z.array(z.string()).readonly(), next: nextPage });
