import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import examples from './runners-token.events.examples.json' with { type: 'json' };

/** The token is derived from the number of resets, so that it is nowhere in the log. */
export const RunnersTokenReset = defineEvent({
  type: 'RunnersTokenReset',
  version: 1,
  description:
    'The token that registers runners was made anew: the one before registers none, and runners keep working.',
  subject: ['runnersToken-project-<projectId>', 'runnersToken-group-<groupId>', 'runnersToken-instance-0'],
  example: examples.RunnersTokenReset,
  service: 'ci',
  audit: privileged('Project', 'RunnersToken'),
  activity: 'administration',
  schema: z.object({
    projectId: z.int().nullable().describe('Id of the project whose runners it registers, else null.'),
    groupId: z.int().nullable().describe('Id of the group whose runners it registers, else null.'),
    resets: z.int().describe('How often it was reset, this time included.'),
  }),
});

export type RunnersTokenEvent = EventOf<typeof RunnersTokenReset>;
