import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { describedRecord } from '../../shared/described-record.ts';
import { DEPLOYMENT_STATUSES } from './deployment.events.ts';

export const describeDeployment = defineOperation({
  id: 'deployment-describe',
  service: 'ci',
  summary: 'A deployment, for what is told of it; the asking service checks rights',
  effect: 'read',
  request: describedRecord,
  answer: z.strictObject({
    deployment: z
      .strictObject({
        id: z.int(),
        projectId: z.int(),
        jobId: z.int().nullable(),
        userId: z.int().nullable(),
        environment: z.string(),
        ref: z.string(),
        sha: z.string(),
        status: z.enum(DEPLOYMENT_STATUSES),
      })
      .nullable(),
  }),
});

export const deploymentOperations = [describeDeployment];
