import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, int, required } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './error-tracking.examples.json' with { type: 'json' };

/** What an SDK is configured with: `sentry_dsn` has the key, the address and the project in it. */
export const clientKeyView = defineView(
  'ErrorTrackingClientKey',
  { id: z.int(), active: z.boolean(), public_key: z.string(), sentry_dsn: z.string() },
  examples.ErrorTrackingClientKey,
);

/** A project has so many keys at most: a report is held against each of them. */
export const MOST_CLIENT_KEYS = 100;

const common = {
  service: 'tracker',
  access: project('maintainer'),
  spec: 'beyond the specification',
} as const;
const path = '/projects/:id/error_tracking/client_keys';

export const listClientKeys = defineEndpoint({
  ...common,
  id: 'error-tracking-client-key-list',
  method: 'GET',
  path,
  summary: 'Keys by which programs report their errors to a project',
  // The answer opens the collector, so that reading is not enough.
  scopes: ['api'],
  params: { id: projectId },
  pagination: 'offset',
  response: z.array(clientKeyView),
});

export const createClientKey = defineEndpoint({
  ...common,
  id: 'error-tracking-client-key-create',
  method: 'POST',
  path,
  summary: `Make a key by which programs report their errors to a project, which has ${MOST_CLIENT_KEYS} at most`,
  params: { id: projectId },
  status: 201,
  response: clientKeyView,
});

export const deleteClientKey = defineEndpoint({
  ...common,
  id: 'error-tracking-client-key-delete',
  method: 'DELETE',
  path: `${path}/:key_id`,
  summary: 'Delete a key; whoever reports by it is refused at once',
  params: { id: projectId, key_id: described(required(int({ min: 1 })), 'Id of the key') },
  response: clientKeyView,
});

export const clientKeyEndpoints = [listClientKeys, createClientKey, deleteClientKey];
