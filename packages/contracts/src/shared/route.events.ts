import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';
import examples from './route.events.examples.json' with { type: 'json' };

const holder = {
  holder: z.enum(['user', 'group', 'project']).describe('What holds the value.'),
  holderId: z.int().describe('Id of the user, group or project.'),
};

/**
 * Each unique value is a stream of its own, so that a race becomes a conflict (ADR 5). The parent of a path at the top is
 * 0, paths are in lower case, and a hash is of the lower-case address or of the name. A published hash has the instance's key.
 */
export const NameClaimed = defineEvent({
  type: 'NameClaimed',
  version: 1,
  description:
    'A unique value, a path, an e-mail address or the name of a project, was taken; other events tell what uses it.',
  subject: ['route-<parentId>/<path>', 'email-<sha256>', 'projectName-<namespaceId>/<sha256>'],
  isSubjectPersonal: true,
  example: examples.NameClaimed,
  service: 'admin',
  audit: 'part',
  activity: 'system',
  schema: z.object({
    ...holder,
    claimedAt: z
      .string()
      .optional()
      .describe('When it was claimed, in ISO 8601 and UTC; a claim that stays unused can be taken over.'),
  }),
});

export const NameReleased = defineEvent({
  type: 'NameReleased',
  version: 1,
  description: 'A unique value is free again.',
  subject: ['route-<parentId>/<path>', 'email-<sha256>', 'projectName-<namespaceId>/<sha256>'],
  isSubjectPersonal: true,
  example: examples.NameReleased,
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
  description:
    'A user, group or project lost its claims before it used them; it changes nothing else about them.',
  subject: '<holder>-<holderId>',
  example: examples.NameForfeited,
  service: 'admin',
  audit: 'part',
  activity: 'system',
  schema: z.object(holder),
});

export type NameForfeitedEvent = EventOf<typeof NameForfeited>;
