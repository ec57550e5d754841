import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';

/**
 * Streams `route-<parent namespace id, 0 at the top>/<lower-case path>` and
 * `email-<SHA-256 of the lower-case address>`: what must be unique across streams is a stream of its own, so that
 * a race shows as a conflict (ADR 5).
 */
export const NameClaimed = defineEvent({
  type: 'NameClaimed',
  version: 1,
  service: 'admin',
  audit: 'part',
  activity: 'system',
  schema: z.object({
    holder: z.enum(['user', 'group', 'project']),
    holderId: z.int(),
    /** When, so that a claim whose holder never came to be can be told from one that is about to. */
    claimedAt: z.string().optional(),
  }),
});

export const NameReleased = defineEvent({
  type: 'NameReleased',
  version: 1,
  service: 'admin',
  audit: 'part',
  activity: 'system',
  schema: z.object({ holder: z.enum(['user', 'group', 'project']), holderId: z.int() }),
});

export const nameEvents = [NameClaimed, NameReleased] as const;
export type NameEvent = EventOf<(typeof nameEvents)[number]>;
