import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { EnvironmentCreated, EnvironmentDeleted } from './environment.events.ts';

export const environmentLifetime = defineLifetime({
  kind: 'Environment',
  id: ['environmentId'],
  begins: [begins(EnvironmentCreated)],
  ends: [endsWith(EnvironmentDeleted, ['environmentId']), endsWith(ProjectDeleted, ['projectId'])],
});
