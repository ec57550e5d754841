import { z } from 'zod';
import examples from './view-examples.json' with { type: 'json' };

/** An answer of each view, as an instance gave it, by the view's name. */
const byView: Readonly<Record<string, unknown>> = examples;

/** An example of an answer: the schema's own, or put together from those of views; undefined where there is none. */
export function exampleOf(response: z.ZodType): unknown {
  const { id, examples: [own] = [] } = response.meta() ?? {};
  if (own !== undefined) return own;
  if (id !== undefined) return byView[id];
  if (response instanceof z.ZodArray) return [exampleOf(response.element as z.ZodType)];
  if (response instanceof z.ZodUnion)
    return response.options
      .map((option) => exampleOf(option as z.ZodType))
      .find((example) => example !== undefined);
  return undefined;
}
