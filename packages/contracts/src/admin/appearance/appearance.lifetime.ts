import { begins, changedBy, defineLifetime } from '../../lifetime.ts';
import { AppearanceCreated, AppearanceUpdated } from './appearance.events.ts';

export const appearanceLifetime = defineLifetime({
  kind: 'Appearance',
  id: ['appearanceId'],
  begins: [begins(AppearanceCreated)],
  changes: changedBy(AppearanceUpdated),
  ends: [],
});
