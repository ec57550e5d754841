import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';

const holder = { holder: z.enum(['user', 'group', 'project']), holderId: z.int() };

/**
 * Streams `route-<parent namespace id, 0 at the top>/<lower-case path>`, `email-<SHA-256 of the lower-case address>`
 * and `projectName-<namespace id>/<SHA-256 of the name>`. Each unique value is a stream of its own, so that a race
 * becomes a conflict (ADR 5).
 */
export const NameClaimed = defineEvent({
  type: 'NameClaimed',
  version: 1,
  service: 'admin',
  audit: 'part',
  activity: 'system',
  schema: z.object({
    ...holder,
    /** Tells an abandoned claim from one whose holder is about to use the name. */
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
 * In the stream of a user, group or project that lost its claim before it used the name. A concurrent creation or
 * rename then conflicts, and an aborted creation can never succeed.
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
