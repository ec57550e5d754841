import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { changed } from '../../shared/changes.ts';
import examples from './appearance.events.examples.json' with { type: 'json' };
import { appearanceFields } from './appearance-fields.ts';

const appearanceId = z.literal(1).describe('Always 1: the instance has one appearance.');

const common = {
  version: 1,
  subject: 'appearance-<appearanceId>',
  service: 'admin',
  audit: privileged('User', 'Appearance'),
  activity: 'administration',
} as const;

export const AppearanceCreated = defineEvent({
  ...common,
  type: 'AppearanceCreated',
  description: 'The appearance of the instance was set for the first time; all else has its defaults.',
  example: examples.AppearanceCreated,
  schema: z.object({ appearanceId, ...z.object(appearanceFields).partial().shape }),
});

export const AppearanceUpdated = defineEvent({
  ...common,
  type: 'AppearanceUpdated',
  description: 'The appearance of the instance changed.',
  example: examples.AppearanceUpdated,
  schema: z.object({ appearanceId, ...changed(appearanceFields) }),
});

export const appearanceEvents = [AppearanceCreated, AppearanceUpdated] as const;
export type AppearanceEvent = EventOf<(typeof appearanceEvents)[number]>;
