import { z } from 'zod';
import { defineEvent } from '../event.ts';

export const IdsReserved = defineEvent({
  type: 'IdsReserved',
  version: 1,
  description: 'A block of ids is used and never assigned again; internal, and not published.',
  subject: 'ids-<kind>',
  service: 'eventing',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    from: z.int().min(1).describe('First id of the block.'),
    to: z.int().min(1).describe('Last id of the block.'),
  }),
});
