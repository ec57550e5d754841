import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './deployment.events.examples.json' with { type: 'json' };

export const DEPLOYMENT_STATUSES = ['created', 'running', 'success', 'failed', 'canceled'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

const ids = {
  deploymentId: z.int().describe('Id of the deployment, unique on the instance.'),
  projectId,
  iid: z.int().describe('Number of the deployment, unique in the project.'),
  environmentId: z.int().describe('Id of the environment that is deployed to.'),
};
const progress = {
  status: z.enum(DEPLOYMENT_STATUSES).describe('How far it is.'),
  finishedAt: z.string().nullable().describe('When it ended, in ISO 8601 and UTC; null before.'),
};
const common = {
  subject: 'deployment-<projectId>-<iid>',
  service: 'ci',
  audit: 'content',
  activity: 'unnamed',
} as const;

export const DeploymentCreated = defineEvent({
  ...common,
  type: 'DeploymentCreated',
  version: 1,
  description: 'A commit is deployed to an environment, by a job or by somebody outside.',
  example: examples.DeploymentCreated,
  schema: z.object({
    ...ids,
    jobId: z.int().nullable().describe('Id of the job that deploys; null for deployments from outside.'),
    pipelineIid: z.int().nullable().describe('Number of the pipeline of the job; null without a job.'),
    userId: z.int().nullable().describe('Id of the user who deploys; null for nobody.'),
    ref: personal(z.string().describe('Branch or tag that is deployed.')),
    isTag: z.boolean().describe('Whether the ref is a tag.'),
    sha: z.string().describe('Id of the commit.'),
    ...progress,
  }),
});

export const DeploymentUpdated = defineEvent({
  ...common,
  type: 'DeploymentUpdated',
  version: 1,
  description: 'A deployment went on, or ended.',
  example: examples.DeploymentUpdated,
  schema: z.object({ ...ids, ...changed(progress) }),
});

export const deploymentEvents = [DeploymentCreated, DeploymentUpdated] as const;
export type DeploymentEvent = EventOf<(typeof deploymentEvents)[number]>;
