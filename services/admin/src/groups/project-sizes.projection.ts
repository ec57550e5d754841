import { ProjectDeleted, type ProjectEvent } from '@forgelog/contracts/repo/project.events.ts';
import { type RepositoryEvent, RepositoryMeasured } from '@forgelog/contracts/repo/repository.events.ts';
import { directoryProjects } from '@forgelog/directory/collections.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { has, oneOf } from '@forgelog/eventing/query.ts';
import { defineCollection, type ReadStore } from '@forgelog/eventing/read-store.ts';

/** How large the repositories are, for the statistics of the groups that they are in. */
export const projectSizes = defineCollection({
  name: 'group_project_sizes',
  key: 'projectId',
  fields: { projectId: 'integer', repositorySize: 'integer' },
  indexes: [],
});

type Handled =
  | Extract<RepositoryEvent, { type: 'RepositoryMeasured' }>
  | Extract<ProjectEvent, { type: 'ProjectDeleted' }>;

export const projectSizesProjection = defineProjection<Handled>({
  name: 'group-project-sizes',
  collections: [projectSizes],
  handles: [RepositoryMeasured.type, ProjectDeleted.type],
  async project(event, documents) {
    const { projectId } = event.data;
    switch (event.type) {
      case 'RepositoryMeasured':
        return documents.put(projectSizes, { projectId, repositorySize: event.data.repositorySize });
      case 'ProjectDeleted':
        return documents.delete(projectSizes, projectId);
      default:
        event satisfies never;
    }
  },
});

const ALL = 1_000_000;

/** Bytes of all repositories in a group, at every depth. */
export async function repositoriesSize(groupId: number, readStore: ReadStore): Promise<number> {
  const where = has('ancestors', groupId);
  const ids = (await readStore.find(directoryProjects, { where, limit: ALL, select: ['id'] })).map(
    ({ id }) => id,
  );
  const sizes = await readStore.find(projectSizes, { where: oneOf('projectId', ids), limit: ALL });
  return sizes.reduce((sum, { repositorySize }) => sum + repositorySize!, 0);
}
