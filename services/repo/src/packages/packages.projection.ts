import { type PackageEvent, packageEvents } from '@forgelog/contracts/repo/packages/package.events.ts';
import { packageFileLifetime, packageLifetime } from '@forgelog/contracts/repo/packages/package.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const packages = defineCollection({
  name: 'packages',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    packageType: 'text',
    name: 'text',
    version: 'text?',
    status: 'text',
    createdAt: 'text',
  },
  indexes: [
    ['projectId', 'createdAt'],
    ['projectId', 'name'],
  ],
  search: ['name'],
  holds: { lifetime: packageLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type PackageRow = DocumentOf<typeof packages>;

export const packageFiles = defineCollection({
  name: 'package_files',
  key: 'id',
  fields: {
    id: 'integer',
    packageId: 'integer',
    projectId: 'integer',
    filename: 'text',
    size: 'integer',
    fileSha256: 'text',
    fileSha1: 'text',
    fileMd5: 'text',
    createdAt: 'text',
  },
  indexes: [['packageId', 'id'], ['packageId', 'filename', 'id'], ['projectId']],
  holds: { lifetime: packageFileLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type PackageFileRow = DocumentOf<typeof packageFiles>;

export const packagesProjection = defineProjection<PackageEvent>({
  name: 'packages',
  collections: [packages, packageFiles],
  handles: packageEvents.map(({ type }) => type),
  async project(event, documents) {
    const { packageId } = event.data;
    switch (event.type) {
      case 'PackageCreated': {
        const { packageId: id, ...data } = event.data;
        return documents.put(packages, { id, ...data, createdAt: event.time });
      }
      case 'PackageUpdated': {
        const row = await documents.get(packages, packageId);
        if (row) documents.put(packages, { ...row, ...event.data.changes });
        return;
      }
      case 'PackageFileCreated': {
        const { packageFileId: id, ...data } = event.data;
        return documents.put(packageFiles, { id, ...data, createdAt: event.time });
      }
      case 'PackageFileDeleted':
        return documents.delete(packageFiles, event.data.packageFileId);
      case 'PackageDeleted':
        documents.delete(packages, packageId);
        await documents.deleteAll(packageFiles, eq('packageId', packageId));
        return;
      default:
        event satisfies never;
    }
  },
});
