import type { EventOf } from '@forgelog/contracts/event.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { RepositoryMeasured } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { directoryProjects } from '@forgelog/directory/collections.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq, has, oneOf } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith, type ReadStore } from '@forgelog/eventing/read-store.ts';

/** Repository sizes in bytes, for group statistics. */
export const projectSizes = defineCollection({
  name: 'group_project_sizes',
  key: 'projectId',
  fields: { projectId: 'integer', repositorySize: 'integer' },
  indexes: [],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

type Handled = EventOf<typeof RepositoryMeasured>;

export const projectSizesProjection = defineProjection<Handled>({
  name: 'group-project-sizes',
  collections: [projectSizes],
  handles: [RepositoryMeasured.type],
  async project({ data: { projectId, repositorySize } }, documents) {
    documents.put(projectSizes, { projectId, repositorySize });
  },
});

const ALL = 1_000_000;

/** Bytes of all repositories in a group, at any depth. */
export async function repositoriesSize(groupId: number, readStore: ReadStore): Promise<number> {
  const where = has('ancestors', groupId);
  const ids = (await readStore.find(directoryProjects, { where, limit: ALL, select: ['id'] })).map(
    ({ id }) => id,
  );
  const sizes = await readStore.find(projectSizes, { where: oneOf('projectId', ids), limit: ALL });
  return sizes.reduce((sum, { repositorySize }) => sum + repositorySize, 0);
}
