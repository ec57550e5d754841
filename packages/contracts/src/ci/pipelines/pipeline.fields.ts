import { z } from 'zod';
import { projectId } from '../../shared/event.fields.ts';

/* Fields that events of pipelines and of their jobs share. */

/** A pipeline and its jobs are one stream (ADR 45). */
export const PIPELINE_SUBJECT = 'pipeline-<projectId>-<iid>';

export const pipelineFields = {
  pipelineId: z.int().describe('Id of the pipeline, unique on the instance.'),
  projectId,
  iid: z.int().describe('Number of the pipeline, unique in the project.'),
};

export const jobFields = {
  jobId: z.int().describe('Id of the job, unique on the instance.'),
  ...pipelineFields,
};

/** Times are part of the data: durations are counted from them, and runners tell some of them late. */
export const time = (what: string) => z.string().describe(`When ${what}, in ISO 8601 and UTC.`);
export const timeOrNull = (what: string, otherwise: string) =>
  z.string().nullable().describe(`When ${what}, in ISO 8601 and UTC; null ${otherwise}.`);

/** One sealed text, because names of variables tell things too. `given-variables.ts` of the service opens it. */
export const sealedVariables = z
  .string()
  .nullable()
  .describe('Variables that were given, sealed; null for none.');
