import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { IntegrationCreated, IntegrationDeleted, IntegrationUpdated } from './integration.events.ts';

export const integrationLifetime = defineLifetime({
  kind: 'Integration',
  id: ['integrationId'],
  begins: [begins(IntegrationCreated)],
  changes: changedBy(IntegrationUpdated),
  ends: [endsWith(IntegrationDeleted, ['integrationId']), endsWith(ProjectDeleted, ['projectId'])],
});
