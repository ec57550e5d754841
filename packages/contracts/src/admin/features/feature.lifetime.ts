import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { FeatureCreated, FeatureDeleted, FeatureUpdated } from './feature.events.ts';

export const featureLifetime = defineLifetime({
  kind: 'Feature',
  id: ['name'],
  begins: [begins(FeatureCreated)],
  changes: changedBy(FeatureUpdated),
  ends: [endsWith(FeatureDeleted, ['name'])],
});
