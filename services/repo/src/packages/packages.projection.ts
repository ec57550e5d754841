import { DebianDistributionDeleted } from '@forgelog/contracts/repo/debian-distributions/debian-distribution.events.ts';
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

/** Files that a Debian distribution has, with all that its indexes say of them. */
export const debianFiles = defineCollection({
  name: 'debian_files',
  key: 'id',
  fields: {
    id: 'integer',
    packageId: 'integer',
    projectId: 'integer',
    distributionId: 'integer',
    kind: 'text',
    component: 'text',
    architecture: 'text',
    control: 'text',
    source: 'text',
    version: 'text',
    filename: 'text',
    size: 'integer',
    fileSha256: 'text',
    fileSha1: 'text',
    fileMd5: 'text',
  },
  indexes: [['distributionId', 'id'], ['distributionId', 'filename', 'id'], ['packageId'], ['projectId']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(DebianDistributionDeleted, ({ debianDistributionId }) =>
      eq('distributionId', debianDistributionId),
    ),
  ],
});

export type DebianFileRow = DocumentOf<typeof debianFiles>;

export const packagesProjection = defineProjection<PackageEvent>({
  name: 'packages',
  collections: [packages, packageFiles, debianFiles],
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
      case 'DebianFilePublished': {
        const { packageFileId: id, projectId, debianDistributionId: distributionId, ...data } = event.data;
        const [package_, file] = [
          await documents.get(packages, packageId),
          await documents.get(packageFiles, id),
        ];
        if (!package_ || !file) return;
        const { filename, size, fileSha256, fileSha1, fileMd5 } = file;
        return documents.put(debianFiles, {
          ...{ id, projectId, distributionId, ...data },
          ...{ source: package_.name, version: package_.version ?? '' },
          ...{ filename, size, fileSha256, fileSha1, fileMd5 },
        });
      }
      case 'PackageFileDeleted':
        documents.delete(debianFiles, event.data.packageFileId);
        return documents.delete(packageFiles, event.data.packageFileId);
      case 'PackageDeleted':
        documents.delete(packages, packageId);
        await documents.deleteAll(packageFiles, eq('packageId', packageId));
        await documents.deleteAll(debianFiles, eq('packageId', packageId));
        return;
      default:
        event satisfies never;
    }
  },
});
