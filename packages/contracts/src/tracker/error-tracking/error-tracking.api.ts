import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, required } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './error-tracking.examples.json' with { type: 'json' };

/**
 * Error-tracking settings [L389]. A project without any has them inactive. No other vendor's server can be named, so
 * the fields that lead to one are null.
 */
export const errorTrackingView = defineView(
  'ErrorTrackingSettings',
  {
    active: z.boolean(),
    project_name: z.null(),
    vendor_external_url: z.null(),
    api_url: z.null(),
    integrated: z.boolean(),
  },
  examples.ErrorTrackingSettings,
);

const one = {
  service: 'tracker',
  access: project('maintainer'),
  path: '/projects/:id/error_tracking/settings',
} as const;

export const getErrorTracking = defineEndpoint({
  ...one,
  id: 'error-tracking-get',
  method: 'GET',
  summary: 'Whether errors of a project are tracked',
  spec: 'api-v4 L389',
  params: { id: projectId },
  response: errorTrackingView,
});

export const updateErrorTracking = defineEndpoint({
  ...one,
  id: 'error-tracking-update',
  method: 'PATCH',
  summary: 'Switch the tracking of errors of a project on or off',
  spec: 'api-v4 L390',
  params: {
    id: projectId,
    active: described(required(bool()), 'Whether errors are tracked', { examples: [true] }),
    integrated: described(bool(), 'Whether this server takes the errors itself'),
  },
  response: errorTrackingView,
});

export const errorTrackingEndpoints = [getErrorTracking, updateErrorTracking];
