import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { projectSizes, projectSizesProjection } from './project-sizes.projection.ts';

const measured = (projectId: number, repositorySize: number) => ({
  type: 'RepositoryMeasured',
  data: { projectId, repositorySize, commitCount: 1, readmePath: null },
});

test('the last measurement of a repository counts', async () => {
  await givenEvents(
    projectSizesProjection,
    ...[measured(7, 4096), measured(8, 100), measured(7, 1024)],
  ).thenDocuments(projectSizes, [
    { projectId: 7, repositorySize: 1024 },
    { projectId: 8, repositorySize: 100 },
  ]);
});

test('a size is deleted with its project', async () => {
  await givenEvents(
    projectSizesProjection,
    ...[measured(7, 4096), measured(8, 100), projectDeleted(7).event],
  ).thenDocuments(projectSizes, [{ projectId: 8 }]);
});
