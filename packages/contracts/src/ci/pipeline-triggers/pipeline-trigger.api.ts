import { z } from 'zod';
import { anyone, defineEndpoint, project, SCOPES } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { givenVariables } from '../pipelines/given-variables.params.ts';
import { pipelineView } from '../pipelines/pipeline.views.ts';
import examples from './pipeline-trigger.examples.json' with { type: 'json' };

/** Its owner sees the whole token, others its first four characters. */
export const pipelineTriggerView = defineView(
  'PipelineTrigger',
  {
    id: z.int(),
    token: z.string(),
    description: z.string(),
    created_at: datetimeView,
    updated_at: datetimeView,
    last_used: datetimeView.nullable(),
    owner: userView,
  },
  examples.PipelineTrigger,
);

const base = '/projects/:id/triggers';
const one = { id: projectId, trigger_id: described(required(int()), 'Id of the trigger') };
const common = {
  service: 'ci',
  access: project('maintainer', { feature: 'builds' }),
  spec: 'companions 2.9',
} as const;
const description = text({ max: 255 });
const DESCRIPTION = 'What the trigger is for';
const EXAMPLE = { examples: ['From the documentation'] };

export const listPipelineTriggers = defineEndpoint({
  ...common,
  id: 'pipeline-trigger-list',
  method: 'GET',
  path: base,
  summary: 'Triggers of a project, in the order of their ids',
  params: { id: projectId },
  pagination: 'offset',
  response: z.array(pipelineTriggerView),
});

export const getPipelineTrigger = defineEndpoint({
  ...common,
  id: 'pipeline-trigger-get',
  method: 'GET',
  path: `${base}/:trigger_id`,
  summary: 'One trigger; its owner sees the whole token, others its first four characters',
  params: one,
  response: pipelineTriggerView,
});

export const createPipelineTrigger = defineEndpoint({
  ...common,
  id: 'pipeline-trigger-create',
  method: 'POST',
  path: base,
  summary: 'Create a trigger, whose token starts pipelines as the caller',
  params: {
    id: projectId,
    description: described(required(description, { blank: true }), DESCRIPTION, EXAMPLE),
  },
  status: 201,
  response: pipelineTriggerView,
});

export const updatePipelineTrigger = defineEndpoint({
  ...common,
  id: 'pipeline-trigger-update',
  method: 'PUT',
  path: `${base}/:trigger_id`,
  summary: 'Change the description of a trigger',
  params: { ...one, description: described(description, DESCRIPTION, { ...EXAMPLE, minLength: 1 }) },
  response: pipelineTriggerView,
});

export const deletePipelineTrigger = defineEndpoint({
  ...common,
  id: 'pipeline-trigger-delete',
  method: 'DELETE',
  path: `${base}/:trigger_id`,
  summary: 'Delete a trigger: its token starts nothing any more',
  params: one,
  status: 204,
});

const triggering = {
  service: 'ci',
  access: anyone,
  scopes: SCOPES,
  spec: 'companions 2.9',
  method: 'POST',
  status: 201,
  response: pipelineView,
} as const;
const token = described(
  required(text({ max: 255 })),
  'Token of a trigger of the project, or of a running job; no other credentials count',
  { examples: ['6d056f63e50fe6f8c5f8f4aa10edb7'] },
);
const ref = described(required(text({ max: 255 })), 'Branch or tag', { examples: ['main'] });
const variables = described(givenVariables, 'Variables of all jobs: `variables[KEY]=value`');

export const triggerPipeline = defineEndpoint({
  ...triggering,
  id: 'pipeline-trigger-run',
  path: '/projects/:id/trigger/pipeline',
  summary: 'Run a pipeline by the token of a trigger or of a job',
  params: { id: projectId, token, ref, variables },
});

export const triggerPipelineOfRef = defineEndpoint({
  ...triggering,
  id: 'pipeline-trigger-run-ref',
  path: '/projects/:id/ref/:ref/trigger/pipeline',
  summary: 'Run a pipeline of the branch or tag in the address by the token of a trigger or of a job',
  params: { id: projectId, ref, token, variables },
});

export const pipelineTriggerEndpoints = [
  listPipelineTriggers,
  getPipelineTrigger,
  createPipelineTrigger,
  updatePipelineTrigger,
  deletePipelineTrigger,
  triggerPipeline,
  triggerPipelineOfRef,
];
