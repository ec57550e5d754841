import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import {
  IterationCadenceCreated,
  IterationCadenceDeleted,
  IterationCadenceUpdated,
  IterationCreated,
  IterationDeleted,
  IterationUpdated,
} from './iteration.events.ts';

export const iterationCadenceLifetime = defineLifetime({
  kind: 'IterationCadence',
  id: ['cadenceId'],
  begins: [begins(IterationCadenceCreated)],
  changes: changedBy(IterationCadenceUpdated),
  ends: [endsWith(IterationCadenceDeleted, ['cadenceId']), endsWith(GroupDeleted, ['groupId'])],
});

export const iterationLifetime = defineLifetime({
  kind: 'Iteration',
  id: ['iterationId'],
  begins: [begins(IterationCreated)],
  changes: changedBy(IterationUpdated),
  ends: [
    endsWith(IterationDeleted, ['iterationId']),
    endsWith(IterationCadenceDeleted, ['cadenceId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
