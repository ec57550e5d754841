import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, fallback, int, oneOf, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView, messageView, userView } from '../../views.ts';
import { listedPipelineView } from '../pipelines/pipeline.views.ts';
import examples from './pipeline-schedule.examples.json' with { type: 'json' };

export const pipelineScheduleView = defineView(
  'PipelineSchedule',
  {
    id: z.int(),
    description: z.string(),
    ref: z.string(),
    cron: z.string(),
    cron_timezone: z.string(),
    next_run_at: datetimeView.nullable(),
    active: z.boolean(),
    created_at: datetimeView,
    updated_at: datetimeView,
    owner: userView,
  },
  examples.PipelineSchedule,
);

export const pipelineScheduleVariableView = defineView(
  'PipelineScheduleVariable',
  { variable_type: z.enum(['env_var', 'file']), key: z.string(), value: z.string() },
  examples.PipelineScheduleVariable,
);

/** `variables` is there for maintainers and for the owner. */
export const pipelineScheduleDetailView = defineView(
  'PipelineScheduleDetail',
  {
    ...pipelineScheduleView.shape,
    last_pipeline: listedPipelineView.nullable(),
    variables: z.array(pipelineScheduleVariableView).optional(),
  },
  examples.PipelineScheduleDetail,
);

const base = '/projects/:id/pipeline_schedules';
const one = {
  id: projectId,
  pipeline_schedule_id: described(required(int()), 'Id of the pipeline schedule'),
};
const variable = { ...one, key: described(required(text({ max: 255 })), 'Name of the variable') };
const common = { service: 'ci', spec: 'companions 2.9' } as const;
const reading = { ...common, access: project('reporter', { feature: 'builds' }) } as const;
/** Some acts are for maintainers and for the owner, as the summaries say. */
const writing = { ...common, access: project('developer', { feature: 'builds' }) } as const;

const line = text({ max: 255 });
const about = {
  description: 'What the pipelines are for',
  ref: 'Branch or tag for which they run',
  cron: 'When they run, as a cron expression of five fields',
  zone: 'Time zone of the expression, by its name in the tz database',
  active: 'Whether the schedule runs',
  key: 'Name of the variable: letters, digits and `_`, at most 255',
  value: 'What its pipelines get, at most 65,536 bytes',
  type: 'Whether jobs get the value, or the path of a file with it',
};
const CRON = { examples: ['30 2 * * *'] };
const ZONE = { examples: ['UTC'] };
const VALUE = { examples: ['full'] };
const key = described(required(text()), about.key, {
  examples: ['LEVEL'],
  pattern: '^[A-Za-z0-9_]{1,255}$',
});
const value = described(required(text({ max: 65_536 }), { blank: true }), about.value, VALUE);
const variableType = oneOf('env_var', 'file');

export const listPipelineSchedules = defineEndpoint({
  ...reading,
  id: 'pipeline-schedule-list',
  method: 'GET',
  path: base,
  summary: 'Pipeline schedules of a project, the newest first',
  params: { id: projectId, scope: described(oneOf('active', 'inactive'), 'Only active or inactive ones') },
  pagination: 'offset',
  response: z.array(pipelineScheduleView),
});

export const getPipelineSchedule = defineEndpoint({
  ...reading,
  id: 'pipeline-schedule-get',
  method: 'GET',
  path: `${base}/:pipeline_schedule_id`,
  summary: 'One pipeline schedule; maintainers and its owner see its variables',
  params: one,
  response: pipelineScheduleDetailView,
});

export const createPipelineSchedule = defineEndpoint({
  ...writing,
  id: 'pipeline-schedule-create',
  method: 'POST',
  path: base,
  summary: 'Create a pipeline schedule, whose pipelines run as the caller',
  params: {
    id: projectId,
    description: described(required(line), about.description, { examples: ['Nightly build'] }),
    ref: described(required(line), about.ref, { examples: ['main'] }),
    cron: described(required(line), about.cron, CRON),
    cron_timezone: described(fallback(line, 'UTC'), about.zone, ZONE),
    active: described(fallback(bool(), true), about.active),
  },
  status: 201,
  response: pipelineScheduleView,
});

export const updatePipelineSchedule = defineEndpoint({
  ...writing,
  id: 'pipeline-schedule-update',
  method: 'PUT',
  path: `${base}/:pipeline_schedule_id`,
  summary: 'Change a pipeline schedule, as a maintainer or its owner',
  params: {
    ...one,
    description: described(line, about.description),
    ref: described(line, about.ref, { examples: ['main'] }),
    cron: described(line, about.cron, CRON),
    cron_timezone: described(line, about.zone, ZONE),
    active: described(bool(), about.active),
  },
  response: pipelineScheduleView,
});

export const deletePipelineSchedule = defineEndpoint({
  ...writing,
  id: 'pipeline-schedule-delete',
  method: 'DELETE',
  path: `${base}/:pipeline_schedule_id`,
  summary: 'Delete a pipeline schedule, as a maintainer or its owner; its pipelines stay',
  params: one,
  status: 204,
});

export const takePipelineScheduleOwnership = defineEndpoint({
  ...common,
  access: project('maintainer', { feature: 'builds' }),
  id: 'pipeline-schedule-take-ownership',
  method: 'POST',
  path: `${base}/:pipeline_schedule_id/take_ownership`,
  summary: 'Let the pipelines of a schedule run as the caller from now on',
  params: one,
  status: 201,
  response: pipelineScheduleView,
});

export const playPipelineSchedule = defineEndpoint({
  ...writing,
  id: 'pipeline-schedule-play',
  method: 'POST',
  path: `${base}/:pipeline_schedule_id/play`,
  summary: 'Run a pipeline schedule now, as the caller; the pipeline follows soon',
  params: one,
  status: 201,
  response: messageView,
});

export const createPipelineScheduleVariable = defineEndpoint({
  ...writing,
  id: 'pipeline-schedule-variable-create',
  method: 'POST',
  path: `${base}/:pipeline_schedule_id/variables`,
  summary: 'Add a variable for the pipelines of a schedule, as a maintainer or its owner',
  params: {
    ...one,
    key,
    value,
    variable_type: described(fallback(variableType, 'env_var'), about.type),
  },
  status: 201,
  response: pipelineScheduleVariableView,
});

export const updatePipelineScheduleVariable = defineEndpoint({
  ...writing,
  id: 'pipeline-schedule-variable-update',
  method: 'PUT',
  path: `${base}/:pipeline_schedule_id/variables/:key`,
  summary: 'Change a variable of a pipeline schedule, as a maintainer or its owner',
  params: { ...variable, value, variable_type: described(variableType, about.type) },
  response: pipelineScheduleVariableView,
});

export const deletePipelineScheduleVariable = defineEndpoint({
  ...writing,
  id: 'pipeline-schedule-variable-delete',
  method: 'DELETE',
  path: `${base}/:pipeline_schedule_id/variables/:key`,
  summary: 'Delete a variable of a pipeline schedule, as a maintainer or its owner',
  params: variable,
  status: 202,
  response: pipelineScheduleVariableView,
});

export const pipelineScheduleEndpoints = [
  listPipelineSchedules,
  getPipelineSchedule,
  createPipelineSchedule,
  updatePipelineSchedule,
  deletePipelineSchedule,
  takePipelineScheduleOwnership,
  playPipelineSchedule,
  createPipelineScheduleVariable,
  updatePipelineScheduleVariable,
  deletePipelineScheduleVariable,
];
