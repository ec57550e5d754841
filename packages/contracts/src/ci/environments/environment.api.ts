import { z } from 'zod';
import { defineEndpoint, exclusive, project } from '../../endpoint.ts';
import {
  bool,
  datetime,
  described,
  fallback,
  int,
  nullable,
  oneOf,
  required,
  text,
  url,
} from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import { lastDeploymentView } from '../deployments/deployment.views.ts';
import examples from './environment.examples.json' with { type: 'json' };
import { environmentView } from './environment.views.ts';

/** Only the single view shows the last deployment [L87]. */
export const environmentDetailView = defineView(
  'EnvironmentDetail',
  {
    ...environmentView.shape,
    last_deployment: lastDeploymentView.nullable(),
  },
  examples.EnvironmentDetail,
);

export const scheduledEntryView = defineView(
  'ScheduledEnvironment',
  environmentView.omit({ state: true }).shape,
);

export const scheduledDeletionsView = defineView(
  'ScheduledDeletions',
  {
    scheduled_entries: z.array(scheduledEntryView),
    unprocessable_entries: z.array(scheduledEntryView),
  },
  examples.ScheduledDeletions,
);

const base = '/projects/:id/environments';
const one = { id: projectId, environment_id: described(required(int()), 'Id of the environment') };
const reading = { service: 'ci', access: project('reporter', { feature: 'builds' }) } as const;
const writing = { service: 'ci', access: project('developer', { feature: 'builds' }) } as const;

export const listEnvironments = defineEndpoint({
  ...reading,
  id: 'environment-list',
  method: 'GET',
  path: base,
  summary: 'Environments of a project, in the order of their ids',
  spec: 'api-v4 L302',
  params: {
    id: projectId,
    name: described(text(), 'Only the environment of this name'),
    search: described(text(), 'Only environments whose name holds this'),
    states: described(oneOf('available', 'stopped'), 'Only environments in this state'),
  },
  rules: [exclusive('name', 'search')],
  pagination: 'offset',
  response: z.array(environmentView),
});

export const getEnvironment = defineEndpoint({
  ...reading,
  id: 'environment-get',
  method: 'GET',
  path: `${base}/:environment_id`,
  summary: 'One environment with what was deployed to it last',
  spec: 'api-v4 L303',
  params: one,
  response: environmentDetailView,
});

export const createEnvironment = defineEndpoint({
  ...writing,
  id: 'environment-create',
  method: 'POST',
  path: base,
  summary: 'Create an environment',
  spec: 'api-v4 L304',
  params: {
    id: projectId,
    name: described(required(text()), 'Name of the environment', {
      pattern: '\\S',
      examples: ['production'],
    }),
    external_url: described(
      nullable(url({ max: 255 })),
      'Where what is deployed can be seen; null for nowhere',
      { examples: ['https://engines.example'] },
    ),
  },
  status: 201,
  response: environmentView,
});

export const updateEnvironment = defineEndpoint({
  ...writing,
  id: 'environment-update',
  method: 'PUT',
  path: `${base}/:environment_id`,
  summary: 'Change the name or the address of an environment',
  spec: 'api-v4 L305',
  params: {
    ...one,
    name: described(text(), 'Name of the environment', { pattern: '\\S', examples: ['production'] }),
    external_url: described(
      nullable(url({ max: 255 })),
      'Where what is deployed can be seen; null for nowhere',
      { examples: ['https://engines.example'] },
    ),
  },
  response: environmentView,
});

export const deleteEnvironment = defineEndpoint({
  ...writing,
  id: 'environment-delete',
  method: 'DELETE',
  path: `${base}/:environment_id`,
  summary: 'Delete an environment, stopped or not',
  spec: 'api-v4 L306',
  params: one,
  status: 204,
  otherStatuses: [412],
});

export const deleteReviewApps = defineEndpoint({
  ...writing,
  id: 'environment-delete-review-apps',
  method: 'DELETE',
  path: `${base}/review_apps`,
  summary: 'Schedule stopped review apps for deletion a week later',
  spec: 'api-v4 L307',
  params: {
    id: projectId,
    before: described(datetime(), 'Only environments created before this time, 30 days ago by default'),
    limit: described(fallback(int({ min: 1, max: 1000 }), 100), 'Most environments to delete'),
    dry_run: described(fallback(bool(), true), 'Only says what would be deleted'),
  },
  response: scheduledDeletionsView,
});

export const stopEnvironment = defineEndpoint({
  ...writing,
  id: 'environment-stop',
  method: 'POST',
  path: `${base}/:environment_id/stop`,
  summary: 'Stop an environment',
  spec: 'api-v4 L308',
  params: one,
  response: environmentView,
});

export const environmentEndpoints = [
  listEnvironments,
  getEnvironment,
  createEnvironment,
  updateEnvironment,
  deleteEnvironment,
  deleteReviewApps,
  stopEnvironment,
];
