import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import { ProtectedTagCreated, ProtectedTagDeleted } from './protected-tag.events.ts';

export const protectedTagLifetime = defineLifetime({
  kind: 'ProtectedTag',
  id: ['protectedTagId'],
  begins: [begins(ProtectedTagCreated)],
  ends: [endsWith(ProtectedTagDeleted, ['protectedTagId']), endsWith(ProjectDeleted, ['projectId'])],
});
