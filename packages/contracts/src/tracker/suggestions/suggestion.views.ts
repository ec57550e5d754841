import { z } from 'zod';
import { defineView } from '../../views.ts';
import examples from './suggestion.examples.json' with { type: 'json' };

/** Other lines that a note on a diff proposes (companions 2.8). */
export const suggestionView = defineView(
  'Suggestion',
  {
    id: z.int(),
    from_line: z.int(),
    to_line: z.int(),
    appliable: z.boolean(),
    applied: z.boolean(),
    from_content: z.string(),
    to_content: z.string(),
  },
  examples.Suggestion,
);
