import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import { RefUpdated } from './repository.events.ts';

const NO_OBJECT = '0'.repeat(40);

export const refLifetime = defineLifetime({
  kind: 'Ref',
  id: ['projectId', 'ref'],
  begins: [begins(RefUpdated)],
  ends: [
    endsWith(RefUpdated, ['projectId', 'ref'], { ofEvent: { newOid: NO_OBJECT } }),
    endsWith(ProjectDeleted, ['projectId']),
  ],
});
