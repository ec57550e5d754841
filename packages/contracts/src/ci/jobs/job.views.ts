import { z } from 'zod';
import { commitView } from '../../repo/commits/commit.api.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { listedPipelineView } from '../pipelines/pipeline.views.ts';
import { CI_STATUSES } from '../pipelines/pipeline-statuses.ts';
import { runnerView } from '../runners/runner.views.ts';
import examples from './job.examples.json' with { type: 'json' };
import { FAILURE_REASONS } from './job.fields.ts';

const pipelineOfJobView = defineView('PipelineOfJob', {
  ...listedPipelineView.omit({ iid: true }).shape,
});

export const artifactView = defineView('Artifact', {
  file_type: z.string(),
  size: z.int(),
  filename: z.string(),
  file_format: z.enum(['zip', 'gzip', 'raw']).nullable(),
});

const artifactsFileView = defineView('ArtifactsFile', { filename: z.string(), size: z.int() });

const common = {
  id: z.int(),
  status: z.enum(CI_STATUSES),
  stage: z.string(),
  name: z.string(),
  ref: z.string(),
  tag: z.boolean(),
  coverage: z.number().nullable(),
  allow_failure: z.boolean(),
  created_at: datetimeView,
  started_at: datetimeView.nullable(),
  finished_at: datetimeView.nullable(),
  duration: z.number().nullable(),
  queued_duration: z.number().nullable(),
  user: userView.nullable(),
  /** Null for callers who may not read the repository. */
  commit: commitView.nullable(),
  pipeline: pipelineOfJobView,
  failure_reason: z.enum(FAILURE_REASONS).optional(),
  web_url: z.string(),
};

/** Job [companions 3]. */
export const jobView = defineView(
  'Job',
  {
    ...common,
    artifacts: z.array(artifactView),
    artifacts_file: artifactsFileView.optional(),
    runner: runnerView.nullable(),
    artifacts_expire_at: datetimeView.nullable(),
    tag_list: z.array(z.string()),
  },
  examples.Job,
);

/** A job that starts another pipeline. */
export const bridgeView = defineView(
  'Bridge',
  { ...common, downstream_pipeline: listedPipelineView.nullable() },
  examples.Bridge,
);
