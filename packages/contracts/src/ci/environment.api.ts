import { z } from 'zod';
import { defineEndpoint, exclusive, project } from '../endpoint.ts';
import { bool, datetime, fallback, idOrPath, int, nullable, oneOf, required, text, url } from '../params.ts';
import { defineView } from '../views.ts';

/** Environment [L87]. */
export const environmentView = defineView('Environment', {
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  external_url: z.string().nullable(),
  state: z.enum(['available', 'stopped']),
});

/** Only the single view says what was deployed last [L87]; deployments themselves are not shown. */
export const environmentDetailView = defineView('EnvironmentDetail', {
  ...environmentView.shape,
  last_deployment: z.null(),
});

const scheduledEntryView = defineView('ScheduledEnvironment', environmentView.omit({ state: true }).shape);

const base = '/projects/:id/environments';
const one = { id: idOrPath(), environment_id: required(int()) };
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
    id: idOrPath(),
    name: text(),
    search: text(),
    states: oneOf('available', 'stopped'),
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
  params: { id: idOrPath(), name: required(text()), external_url: nullable(url({ max: 255 })) },
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
  params: { ...one, name: text(), external_url: nullable(url({ max: 255 })) },
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
    id: idOrPath(),
    /** Only what was created earlier; 30 days ago by default. */
    before: datetime(),
    limit: fallback(int({ min: 1, max: 1000 }), 100),
    dry_run: fallback(bool(), true),
  },
  response: defineView('ScheduledDeletions', {
    scheduled_entries: z.array(scheduledEntryView),
    unprocessable_entries: z.array(scheduledEntryView),
  }),
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
