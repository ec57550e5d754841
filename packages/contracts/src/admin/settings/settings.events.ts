import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { changed } from '../../shared/changes.ts';
import { SETTING_NAMES, type SettingName, settingOf } from './application-settings.ts';
import examples from './settings.events.examples.json' with { type: 'json' };

const fields = Object.fromEntries(
  SETTING_NAMES.map((name) => {
    const { schema, about } = settingOf(name);
    return [name, schema.meta({ ...schema.meta(), description: `${about}.` })];
  }),
) as Record<SettingName, z.ZodType>;

const settingsId = z.literal(1).describe('Always 1: the instance has one record of settings.');

const common = {
  version: 1,
  subject: 'settings-<settingsId>',
  service: 'admin',
  audit: privileged('User', 'Settings'),
  activity: 'administration',
} as const;

export const SettingsCreated = defineEvent({
  ...common,
  type: 'SettingsCreated',
  description: 'Settings of the instance were set for the first time; all others have their defaults.',
  example: examples.SettingsCreated,
  schema: z.object({ settingsId, ...z.object(fields).partial().shape }),
});

export const SettingsUpdated = defineEvent({
  ...common,
  type: 'SettingsUpdated',
  description: 'Settings of the instance changed.',
  example: examples.SettingsUpdated,
  schema: z.object({ settingsId, ...changed(fields) }),
});

export const settingsEvents = [SettingsCreated, SettingsUpdated] as const;
export type SettingsEvent = EventOf<(typeof settingsEvents)[number]>;
