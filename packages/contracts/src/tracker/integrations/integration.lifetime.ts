import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import {
  IntegrationCreated,
  IntegrationDeleted,
  IntegrationDisabled,
  IntegrationEnabled,
  IntegrationUpdated,
} from './integration.events.ts';

export const integrationLifetime = defineLifetime({
  kind: 'Integration',
  id: ['integrationId'],
  begins: [begins(IntegrationCreated, { fixed: { disabled: false } })],
  changes: changedBy(IntegrationUpdated, IntegrationDisabled, IntegrationEnabled),
  ends: [endsWith(IntegrationDeleted, ['integrationId']), endsWith(ProjectDeleted, ['projectId'])],
});
