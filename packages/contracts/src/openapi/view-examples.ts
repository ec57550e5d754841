import { z } from 'zod';
import { exampleOfView } from '../views.ts';

/** The schema's own example, or one combined from its views; undefined if there is none. */
export function exampleOf(response: z.ZodType): unknown {
  const { id, examples: [own] = [] } = response.meta() ?? {};
  if (own !== undefined) return own;
  if (id !== undefined) return exampleOfView(id);
  if (response instanceof z.ZodNullable) return exampleOf(response.unwrap() as z.ZodType);
  if (response instanceof z.ZodArray) return [exampleOf(response.element as z.ZodType)];
  if (response instanceof z.ZodUnion)
    return response.options
      .map((option) => exampleOf(option as z.ZodType))
      .find((example) => example !== undefined);
  return undefined;
}
