import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { FreezePeriodCreated, FreezePeriodDeleted, FreezePeriodUpdated } from './freeze-period.events.ts';

export const freezePeriodLifetime = defineLifetime({
  kind: 'FreezePeriod',
  id: ['freezePeriodId'],
  begins: [begins(FreezePeriodCreated)],
  changes: changedBy(FreezePeriodUpdated),
  ends: [endsWith(FreezePeriodDeleted, ['freezePeriodId']), endsWith(ProjectDeleted, ['projectId'])],
});
