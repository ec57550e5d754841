import { z } from 'zod';
import { exampleOfView } from '../views.ts';

/** An example of an answer: the schema's own, or put together from those of views; undefined where there is none. */
export function exampleOf(response: z.ZodType): unknown {
  const { id, examples: [own] = [] } = response.meta() ?? {};
  if (own !== undefined) return own;
  if (id !== undefined) return exampleOfView(id);
  if (response instanceof z.ZodArray) return [exampleOf(response.element as z.ZodType)];
  if (response instanceof z.ZodUnion)
    return response.options
      .map((option) => exampleOf(option as z.ZodType))
      .find((example) => example !== undefined);
  return undefined;
}
