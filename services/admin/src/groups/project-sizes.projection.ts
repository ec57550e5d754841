import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  PackageDeleted,
  PackageFileCreated,
  PackageFileDeleted,
} from '@forgelog/contracts/repo/packages/package.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { RepositoryMeasured } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { directoryProjects } from '@forgelog/directory/collections.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq, has, oneOf } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith, type ReadStore } from '@forgelog/eventing/read-store.ts';

/** Sizes in bytes, for group statistics. */
export const projectSizes = defineCollection({
  name: 'group_project_sizes',
  key: 'projectId',
  fields: { projectId: 'integer', repositorySize: 'integer', packagesSize: 'integer' },
  indexes: [],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

/** The files of packages that count for the size of their project. */
export const sizedPackageFiles = defineCollection({
  name: 'group_package_files',
  key: 'id',
  fields: { id: 'integer', packageId: 'integer', projectId: 'integer', size: 'integer' },
  indexes: [['packageId'], ['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

type Handled = EventOf<
  typeof RepositoryMeasured | typeof PackageFileCreated | typeof PackageFileDeleted | typeof PackageDeleted
>;

export const projectSizesProjection = defineProjection<Handled>({
  name: 'group-project-sizes',
  collections: [projectSizes, sizedPackageFiles],
  handles: [RepositoryMeasured.type, PackageFileCreated.type, PackageFileDeleted.type, PackageDeleted.type],
  async project(event, documents) {
    const { projectId } = event.data;
    const row = (await documents.get(projectSizes, projectId)) ?? {
      projectId,
      repositorySize: 0,
      packagesSize: 0,
    };
    // Each file that counts is kept, so that an event counts once.
    const grow = (bytes: number) =>
      documents.put(projectSizes, { ...row, packagesSize: row.packagesSize + bytes });
    switch (event.type) {
      case 'RepositoryMeasured':
        return documents.put(projectSizes, { ...row, repositorySize: event.data.repositorySize });
      case 'PackageFileCreated': {
        const { packageFileId: id, packageId, size } = event.data;
        if (await documents.get(sizedPackageFiles, id)) return;
        documents.put(sizedPackageFiles, { id, packageId, projectId, size });
        return grow(size);
      }
      case 'PackageFileDeleted': {
        const known = await documents.get(sizedPackageFiles, event.data.packageFileId);
        if (!known) return;
        documents.delete(sizedPackageFiles, known.id);
        return grow(-known.size);
      }
      case 'PackageDeleted': {
        const known = await documents.findAll(sizedPackageFiles, eq('packageId', event.data.packageId));
        for (const { id } of known) documents.delete(sizedPackageFiles, id);
        return grow(-known.reduce((sum, { size }) => sum + size, 0));
      }
      default:
        event satisfies never;
    }
  },
});

const ALL = 1_000_000;

/** Bytes of all projects in a group, at any depth. */
export async function sizesIn(
  groupId: number,
  readStore: ReadStore,
): Promise<{ repositorySize: number; packagesSize: number }> {
  const where = has('ancestors', groupId);
  const ids = (await readStore.find(directoryProjects, { where, limit: ALL, select: ['id'] })).map(
    ({ id }) => id,
  );
  const sizes = await readStore.find(projectSizes, { where: oneOf('projectId', ids), limit: ALL });
  const sum = (field: 'repositorySize' | 'packagesSize') => sizes.reduce((all, row) => all + row[field], 0);
  return { repositorySize: sum('repositorySize'), packagesSize: sum('packagesSize') };
}
