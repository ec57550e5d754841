import { z } from 'zod';
import { defineEvent } from '../event.ts';
import examples from './epoch.events.examples.json' with { type: 'json' };

export const EpochBegun = defineEvent({
  type: 'EpochBegun',
  version: 1,
  description: 'The log was restored from a backup, and lost the events after it (ADR 40).',
  subject: 'log-epochs',
  service: 'admin',
  audit: 'system',
  activity: 'system',
  example: examples.EpochBegun,
  schema: z.object({
    epoch: z.string().describe('Name of the epoch. Compared as text, a later epoch has a greater name.'),
    after: z
      .string()
      .describe(
        'Position of the last event that still holds. A restore took back what was published beyond it.',
      ),
  }),
});
