import { z } from 'zod';
import { personal } from '../../personal-data.ts';
import { userId } from '../../shared/event.fields.ts';
import { jobFields, timeOrNull } from '../pipelines/pipeline.fields.ts';

/** Reasons of a failure: those of runners, and those of the server. */
export const FAILURE_REASONS = [
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'missing_dependency_failure',
  'runner_unsupported',
  'stale_schedule',
  'job_execution_timeout',
  'archived_failure',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
  'forward_deployment_failure',
  'user_blocked',
  'project_deleted',
  'insufficient_bridge_permissions',
  'downstream_bridge_project_not_found',
  'invalid_bridge_trigger',
  'bridge_pipeline_is_child_pipeline',
  'downstream_pipeline_creation_failed',
  'secrets_provider_error',
  'reached_max_descendant_pipelines_depth',
  'reached_max_pipeline_hierarchy_size',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

export const JOB_KINDS = ['build', 'bridge', 'external'] as const;
export const JOB_WHEN = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const;
/** A new job has one of these at once, so that a pipeline of 1,000 jobs is 1,000 events and not 2,000. */
const FIRST_STATUSES = [
  'created',
  'waiting_for_resource',
  'pending',
  'skipped',
  'manual',
  'scheduled',
] as const;

export const queuedAt = timeOrNull('it became pending', 'if it is not and was not');
export const scheduledAt = timeOrNull('a delayed job is due', 'for others');

const need = z.object({
  job: z.string().describe('Name of the job.'),
  artifacts: z.boolean().describe('Whether its artifacts are downloaded.'),
  optional: z.boolean().describe('Whether the pipeline may lack the job.'),
});

/** What the state machine, the queue and answers need; the object with the definitions has all else. */
export const newJob = z.object({
  ...jobFields,
  name: personal(z.string().describe('Name, unique among the jobs of the pipeline that are not retried.')),
  stage: personal(z.string().describe('Name of its stage.')),
  stageIndex: z.int().describe('Place of its stage, from 0.'),
  kind: z
    .enum(JOB_KINDS)
    .describe(
      'A bridge starts another pipeline, and an external job is run by another system; no runner gets them.',
    ),
  when: z.enum(JOB_WHEN).describe('When it runs, by the jobs that it waits for.'),
  startIn: z.int().nullable().describe('Seconds that a delayed job waits; null for others.'),
  allowFailure: z.boolean().describe('Whether the pipeline may pass without it.'),
  allowFailureExitCodes: z
    .array(z.int())
    .nullable()
    .describe('Exit codes with which it may fail although it may not otherwise; null for none.'),
  needs: personal(
    z
      .array(need)
      .nullable()
      .describe('Jobs of the pipeline that it waits for; null for all jobs of earlier stages.'),
  ),
  tags: personal(z.array(z.string()).describe('Tags that its runner must have.')),
  environment: personal(
    z
      .object({
        name: z.string().describe('Name of the environment.'),
        url: z.string().nullable().describe('Address, with variables; null if not given.'),
        action: z.enum(['start', 'stop', 'prepare', 'verify', 'access']).describe('What the job does to it.'),
        onStop: z.string().nullable().describe('Name of the job that stops it; null for none.'),
        autoStopIn: z.int().nullable().describe('Seconds after which it is stopped; null for never.'),
        deploymentTier: z.string().nullable().describe('Tier; null if not given.'),
      })
      .nullable()
      .describe('The environment that the job deploys to or stops; null for none.'),
  ),
  resourceGroup: personal(
    z.string().nullable().describe('Group of which one job of the project runs at a time; null for none.'),
  ),
  retry: z
    .object({
      max: z.int().describe('How often it is retried by itself.'),
      when: z.array(z.string()).describe('Reasons of failures after which it is; `always` is any.'),
    })
    .describe('Automatic retries.'),
  interruptible: z.boolean().describe('Whether a newer pipeline of the ref may cancel it.'),
  timeoutSeconds: z.int().describe('Seconds that it may run.'),
  userId: userId.nullable().describe('Id of the user with whose rights it runs; null for nobody.'),
  retryOf: z.int().nullable().describe('Id of the job that it is a retry of; null for none.'),
  status: z.enum(FIRST_STATUSES).describe('The first status.'),
  queuedAt,
  scheduledAt,
});
