import { z } from 'zod';
import { datetimeView, defineView, userView } from '../../views.ts';
import examples from './pipeline.examples.json' with { type: 'json' };
import { CI_STATUSES } from './pipeline-statuses.ts';

/** Pipeline in a list [L75]. */
export const listedPipelineView = defineView(
  'ListedPipeline',
  {
    id: z.int(),
    iid: z.int(),
    project_id: z.int(),
    status: z.enum(CI_STATUSES),
    ref: z.string(),
    sha: z.string(),
    web_url: z.string(),
    created_at: datetimeView,
    updated_at: datetimeView,
  },
  examples.ListedPipeline,
);

/** Pipeline by itself [L75]. Durations are whole seconds, and coverage is a text (companions 1.5). */
export const pipelineView = defineView(
  'Pipeline',
  {
    ...listedPipelineView.shape,
    before_sha: z.string(),
    tag: z.boolean(),
    yaml_errors: z.string().nullable(),
    user: userView.nullable(),
    started_at: datetimeView.nullable(),
    finished_at: datetimeView.nullable(),
    committed_at: datetimeView.nullable(),
    duration: z.int().nullable(),
    queued_duration: z.int().nullable(),
    coverage: z.string().nullable(),
  },
  examples.Pipeline,
);

/** Pipeline variable [L78]. */
export const pipelineVariableView = defineView(
  'PipelineVariable',
  { key: z.string(), variable_type: z.enum(['env_var', 'file']), value: z.string() },
  examples.PipelineVariable,
);
