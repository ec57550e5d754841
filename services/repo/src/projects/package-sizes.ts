import {
  PackageDeleted,
  type PackageEvent,
  PackageFileCreated,
  PackageFileDeleted,
} from '@forgelog/contracts/repo/packages/package.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { projectPackageFiles, projects } from './project.collection.ts';

export type CountedPackageEvent = Extract<
  PackageEvent,
  { type: 'PackageFileCreated' | 'PackageFileDeleted' | 'PackageDeleted' }
>;

export const countedPackageEvents = [PackageFileCreated, PackageFileDeleted, PackageDeleted].map(
  ({ type }) => type,
);

/** Idempotent: each file that counts is kept. */
export async function countPackageFiles(
  documents: ProjectionDocuments,
  { type, data }: Recorded<CountedPackageEvent>,
): Promise<void> {
  const { packageId, projectId } = data;
  const project = await documents.get(projects, projectId);
  if (!project) return;
  let grown = 0;
  if (type === 'PackageDeleted') {
    for (const { id, size } of await documents.findAll(projectPackageFiles, eq('packageId', packageId))) {
      documents.delete(projectPackageFiles, id);
      grown -= size;
    }
  } else {
    const { packageFileId: id, size } = data;
    const known = await documents.get(projectPackageFiles, id);
    const counts = type === 'PackageFileCreated';
    if (counts) documents.put(projectPackageFiles, { id, packageId, projectId, size });
    else documents.delete(projectPackageFiles, id);
    grown = (counts ? size : 0) - (known?.size ?? 0);
  }
  if (grown === 0) return;
  const packagesSize = project.packagesSize + grown;
  documents.amend(projects, projectId, { packagesSize, storageSize: project.repositorySize + packagesSize });
}
