import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { describedRecord } from '../../shared/described-record.ts';

export const describeFeatureFlag = defineOperation({
  id: 'feature-flag-describe',
  service: 'ci',
  summary: 'A feature flag of a project, for what is told of it; the asking service checks rights',
  effect: 'read',
  request: describedRecord,
  answer: z.strictObject({
    featureFlag: z
      .strictObject({
        id: z.int(),
        projectId: z.int(),
        name: z.string(),
        description: z.string().nullable(),
        active: z.boolean(),
      })
      .nullable(),
  }),
});

export const featureFlagOperations = [describeFeatureFlag];
