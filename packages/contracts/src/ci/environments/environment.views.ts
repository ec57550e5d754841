import { z } from 'zod';
import { defineView } from '../../views.ts';
import examples from './environment.examples.json' with { type: 'json' };

/** Environment [L87]. */
export const environmentView = defineView(
  'Environment',
  {
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    external_url: z.string().nullable(),
    state: z.enum(['available', 'stopped']),
  },
  examples.Environment,
);
