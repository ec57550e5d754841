import {
  type DeploymentEvent,
  deploymentEvents,
} from '@forgelog/contracts/ci/deployments/deployment.events.ts';
import { deploymentLifetime } from '@forgelog/contracts/ci/deployments/deployment.lifetime.ts';
import { EnvironmentDeleted } from '@forgelog/contracts/ci/environments/environment.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';

export const deployments = defineCollection({
  name: 'deployments',
  key: 'id',
  fields: {
    id: 'integer',
    /** `placeOf` project and number. */
    place: 'integer',
    projectId: 'integer',
    iid: 'integer',
    environmentId: 'integer',
    jobId: 'integer?',
    pipelineIid: 'integer?',
    /** Stays after the account is gone. */
    authorId: 'integer?',
    ref: 'text',
    isTag: 'boolean',
    sha: 'text',
    status: 'text',
    createdAt: 'text',
    updatedAt: 'text',
    finishedAt: 'text?',
  },
  indexes: [
    ['place'],
    ['projectId', 'status'],
    ['projectId', 'createdAt'],
    ['projectId', 'updatedAt'],
    ['projectId', 'ref'],
    ['environmentId', 'status'],
    ['jobId'],
  ],
  holds: { lifetime: deploymentLifetime },
  ownedBy: [
    endsWith(EnvironmentDeleted, ({ environmentId }) => eq('environmentId', environmentId)),
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
  ],
});

export type DeploymentRow = DocumentOf<typeof deployments>;

export const deploymentsProjection = defineProjection<DeploymentEvent>({
  name: 'deployments',
  collections: [deployments],
  handles: deploymentEvents.map(({ type }) => type),
  async project(event, documents) {
    const { deploymentId: id, projectId, iid } = event.data;
    switch (event.type) {
      case 'DeploymentCreated': {
        const { deploymentId: _, userId: authorId, ...deployment } = event.data;
        const times = { createdAt: event.time, updatedAt: event.time };
        return documents.put(deployments, {
          id,
          place: placeOf(projectId, iid)!,
          ...deployment,
          authorId,
          ...times,
        });
      }
      case 'DeploymentUpdated':
        if (await documents.get(deployments, id))
          documents.amend(deployments, id, { ...event.data.changes, updatedAt: event.time });
        return;
      default:
        event satisfies never;
    }
  },
});
