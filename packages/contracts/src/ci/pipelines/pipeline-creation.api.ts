import { defineEndpoint, project } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { givenVariables } from './given-variables.params.ts';
import { pipelineView } from './pipeline.views.ts';

export const createPipeline = defineEndpoint({
  service: 'ci',
  access: project('developer', { feature: 'builds' }),
  id: 'pipeline-create',
  method: 'POST',
  path: '/projects/:id/pipeline',
  summary: 'Run a pipeline of a branch or tag',
  spec: 'api-v4 L282',
  params: {
    id: projectId,
    ref: described(required(text({ max: 255 })), 'Branch or tag', { examples: ['main'] }),
    variables: described(givenVariables, 'Variables of all jobs, stronger than those of the settings'),
  },
  status: 201,
  response: pipelineView,
});

export const pipelineCreationEndpoints = [createPipeline];
