import {
  ENVIRONMENT_STOPPED,
  type EnvironmentEvent,
} from '@forgelog/contracts/ci/environments/environment.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { environments, environmentsProjection } from './environments.projection.ts';

const created = (environmentId: number, projectId = 7): EnvironmentEvent => ({
  type: 'EnvironmentCreated',
  data: { environmentId, projectId, name: 'review/x', slug: 'review-x-abc123', externalUrl: null },
});
const ids = { environmentId: 1, projectId: 7 };
const stopped: EnvironmentEvent = {
  type: 'EnvironmentStopped',
  data: { ...ids, ...ENVIRONMENT_STOPPED },
};

test('a new environment is available and never due', async () => {
  await givenEvents(environmentsProjection, created(1)).thenDocuments(environments, [
    {
      id: 1,
      projectId: 7,
      name: 'review/x',
      slug: 'review-x-abc123',
      externalUrl: null,
      state: 'available',
      createdAt: '2030-01-01T00:00:01.000Z',
      updatedAt: '2030-01-01T00:00:01.000Z',
      deletionDueAt: null,
    },
  ]);
});

test('an environment is stored as it was changed last, and a rename keeps its slug', async () => {
  const changes = { name: 'qa', externalUrl: 'https://qa.example.com' };
  const dueAt = '2030-02-01T00:00:00.000Z';
  await givenEvents(
    environmentsProjection,
    created(1),
    { type: 'EnvironmentUpdated', data: { ...ids, changes, previous: null } },
    stopped,
    {
      type: 'EnvironmentDeletionScheduled',
      data: { ...ids, dueAt, changes: { deletionDueAt: dueAt }, previous: null },
    },
  ).thenDocuments(environments, [
    {
      ...changes,
      slug: 'review-x-abc123',
      state: 'stopped',
      deletionDueAt: dueAt,
      createdAt: '2030-01-01T00:00:01.000Z',
      updatedAt: '2030-01-01T00:00:04.000Z',
    },
  ]);
});

test('an environment is deleted by itself and with its project, and no late event brings it back', async () => {
  await givenEvents(
    environmentsProjection,
    ...[created(1), created(2), created(3, 8)],
    { type: 'EnvironmentDeleted', data: ids },
    projectDeleted(7).event,
    stopped,
  ).thenDocuments(environments, [{ id: 3, projectId: 8 }]);
});
