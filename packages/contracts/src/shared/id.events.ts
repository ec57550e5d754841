import { z } from 'zod';
import { defineEvent } from '../event.ts';

/** Streams `ids-<kind>`: the ids `from` to `to` of the kind are given away and never again. */
export const IdsReserved = defineEvent({
  type: 'IdsReserved',
  version: 1,
  service: 'eventing',
  audit: 'system',
  activity: 'system',
  schema: z.object({ from: z.int().min(1), to: z.int().min(1) }),
});
