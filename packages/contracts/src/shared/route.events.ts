import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';

const holder = { holder: z.enum(['user', 'group', 'project']), holderId: z.int() };

/**
 * Streams `route-<parent namespace id, 0 at the top>/<lower-case path>`, `email-<SHA-256 of the lower-case address>` and
 * `projectName-<namespace id>/<SHA-256 of the name>`: what must be unique across streams is a stream of its own, so
 * that a race shows as a conflict (ADR 5).
 */
export const NameClaimed = defineEvent({
  type: 'NameClaimed',
  version: 1,
  service: 'admin',
  audit: 'part',
  activity: 'system',
  schema: z.object({
    ...holder,
    /** When, so that a claim that broke off can be told from one whose holder is about to bear the name. */
    claimedAt: z.string().optional(),
  }),
});

export const NameReleased = defineEvent({
  type: 'NameReleased',
  version: 1,
  service: 'admin',
  audit: 'part',
  activity: 'system',
  schema: z.object(holder),
});

export const nameEvents = [NameClaimed, NameReleased] as const;
export type NameEvent = EventOf<(typeof nameEvents)[number]>;

/**
 * In the stream of a user, group or project: it lost a claim to a name that it did not bear. Whoever was about to
 * create or rename it meets a changed stream. One that never came to be can never be created any more.
 */
export const NameForfeited = defineEvent({
  type: 'NameForfeited',
  version: 1,
  service: 'admin',
  audit: 'part',
  activity: 'system',
  schema: z.object(holder),
});

export type NameForfeitedEvent = EventOf<typeof NameForfeited>;
