import { begins, changedBy, defineLifetime } from '../../lifetime.ts';
import { SettingsCreated, SettingsUpdated } from './settings.events.ts';

export const settingsLifetime = defineLifetime({
  kind: 'Settings',
  id: ['settingsId'],
  begins: [begins(SettingsCreated)],
  changes: changedBy(SettingsUpdated),
  ends: [],
});
