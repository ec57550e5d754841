import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, datetime, described, fallback, int, oneOf, required, text } from '../../params.ts';
import { ascending, projectId } from '../../shared/common.params.ts';
import { deploymentView } from './deployment.views.ts';

const base = '/projects/:id/deployments';
const one = { id: projectId, deployment_id: described(required(int()), 'Id of the deployment') };
const common = { service: 'ci', spec: 'companions 2.9' } as const;
const reading = { ...common, access: project('reporter', { feature: 'builds' }) } as const;
const writing = { ...common, access: project('developer', { feature: 'builds' }) } as const;

const given = oneOf('running', 'success', 'failed', 'canceled');

export const listDeployments = defineEndpoint({
  ...reading,
  id: 'deployment-list',
  method: 'GET',
  path: base,
  summary: 'Deployments of a project',
  params: {
    id: projectId,
    environment: described(text(), 'Only those to the environment of this name'),
    status: described(
      oneOf('created', 'running', 'success', 'failed', 'canceled'),
      'Only those with this status',
    ),
    updated_after: described(datetime(), 'Only those that changed at this time or later'),
    updated_before: described(datetime(), 'Only those that changed at this time or before'),
    order_by: described(fallback(oneOf('id', 'iid', 'created_at', 'updated_at', 'ref'), 'id'), 'Order'),
    sort: ascending,
  },
  pagination: 'offset',
  response: z.array(deploymentView),
});

export const getDeployment = defineEndpoint({
  ...reading,
  id: 'deployment-get',
  method: 'GET',
  path: `${base}/:deployment_id`,
  summary: 'One deployment with its job',
  params: one,
  response: deploymentView,
});

export const createDeployment = defineEndpoint({
  ...writing,
  id: 'deployment-create',
  method: 'POST',
  path: base,
  summary: 'Tell of a deployment from outside; the environment is made if it is missing',
  params: {
    id: projectId,
    environment: described(required(text({ max: 255 })), 'Name of the environment', {
      examples: ['production'],
    }),
    sha: described(required(text({ max: 64 })), 'Whole id of the commit', {
      examples: ['6104942438c14ec7bd21c6cd5bd995272b3faff6'],
      pattern: '^[0-9a-f]{40}([0-9a-f]{24})?$',
    }),
    ref: described(required(text({ max: 255 })), 'Branch or tag', { examples: ['main'] }),
    tag: described(required(bool()), 'Whether the ref is a tag', { examples: [false] }),
    status: described(required(given), 'How far it is', { examples: ['success'] }),
  },
  status: 201,
  response: deploymentView,
});

export const updateDeployment = defineEndpoint({
  ...writing,
  id: 'deployment-update',
  method: 'PUT',
  path: `${base}/:deployment_id`,
  summary: 'Tell how a deployment from outside went on; that of a job follows its job',
  params: { ...one, status: described(required(given), 'How far it is', { examples: ['success'] }) },
  response: deploymentView,
});

export const deploymentEndpoints = [listDeployments, getDeployment, createDeployment, updateDeployment];
