import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import {
  PackageCreated,
  PackageDeleted,
  PackageFileCreated,
  PackageFileDeleted,
  PackageUpdated,
} from './package.events.ts';

export const packageLifetime = defineLifetime({
  kind: 'Package',
  id: ['packageId'],
  begins: [begins(PackageCreated)],
  changes: changedBy(PackageUpdated),
  ends: [endsWith(PackageDeleted, ['packageId']), endsWith(ProjectDeleted, ['projectId'])],
});

export const packageFileLifetime = defineLifetime({
  kind: 'PackageFile',
  id: ['packageFileId'],
  begins: [begins(PackageFileCreated)],
  ends: [
    endsWith(PackageFileDeleted, ['packageFileId']),
    endsWith(PackageDeleted, ['packageId']),
    endsWith(ProjectDeleted, ['projectId']),
  ],
});
