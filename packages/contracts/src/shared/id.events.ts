import { z } from 'zod';
import { defineEvent } from '../event.ts';

/** Streams `ids-<kind>`: the ids `from` to `to` are used and never assigned again. */
export const IdsReserved = defineEvent({
  type: 'IdsReserved',
  version: 1,
  service: 'eventing',
  audit: 'system',
  activity: 'system',
  schema: z.object({ from: z.int().min(1), to: z.int().min(1) }),
});
