import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, fallback, int, oneOf, required, text } from '../../params.ts';
import { descending, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './error-tracking.examples.json' with { type: 'json' };

/* Errors that programs reported, each with all its occurrences. The API family lists them in its pages alone. */

export const ERROR_STATUSES = ['unresolved', 'resolved', 'ignored'] as const;
export const ERROR_LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
export type ErrorLevel = (typeof ERROR_LEVELS)[number];
export type ErrorStatus = (typeof ERROR_STATUSES)[number];

/** Members that pages of the API family show of an error. */
export const trackedErrorView = defineView(
  'TrackedError',
  {
    id: z.int(),
    project_id: z.int(),
    title: z.string(),
    type: z.string(),
    message: z.string(),
    culprit: z.string(),
    level: z.string(),
    platform: z.string(),
    environment: z.string().nullable(),
    release: z.string().nullable(),
    fingerprint: z.string(),
    status: z.enum(ERROR_STATUSES),
    count: z.int(),
    first_seen: datetimeView,
    last_seen: datetimeView,
  },
  examples.TrackedError,
);

const frameView = defineView(
  'StackFrame',
  {
    filename: z.string().nullable(),
    function: z.string().nullable(),
    module: z.string().nullable(),
    line: z.int().nullable(),
    column: z.int().nullable(),
    in_app: z.boolean(),
    context: z.string().nullable(),
  },
  examples.StackFrame,
);

const exceptionView = defineView(
  'ReportedException',
  { type: z.string(), value: z.string(), frames: z.array(frameView) },
  examples.ReportedException,
);

const requestView = defineView(
  'ReportedRequest',
  { method: z.string().nullable(), url: z.string() },
  examples.ReportedRequest,
);

/** One of the times at which an error was seen, without what could be a secret. */
export const occurrenceView = defineView(
  'ErrorOccurrence',
  {
    event_id: z.string(),
    seen_at: datetimeView,
    exceptions: z.array(exceptionView),
    request: requestView.nullable(),
    tags: z.record(z.string(), z.string()),
  },
  examples.ErrorOccurrence,
);

export const singleErrorView = defineView(
  'SingleTrackedError',
  { ...trackedErrorView.shape, occurrence: occurrenceView },
  examples.SingleTrackedError,
);

const path = '/projects/:id/error_tracking/errors';
const common = { service: 'tracker', spec: 'beyond the specification' } as const;
const reader = project('reporter', { feature: 'operations' });
const developer = project('developer', { feature: 'operations' });
const one = {
  id: projectId,
  error_id: described(required(int({ min: 1 })), 'Id of the error'),
};

export const listErrors = defineEndpoint({
  ...common,
  id: 'tracked-error-list',
  method: 'GET',
  path,
  summary: 'Errors that programs reported to a project',
  access: reader,
  params: {
    id: projectId,
    status: described(oneOf(...ERROR_STATUSES), 'Only those with this status'),
    search: described(text({ max: 255 }), 'Only those with this text in their title'),
    order_by: described(
      fallback(oneOf('last_seen', 'first_seen', 'count'), 'last_seen'),
      'By when they were seen, or by how often',
    ),
    sort: descending,
  },
  pagination: 'offset',
  response: z.array(trackedErrorView),
});

export const getError = defineEndpoint({
  ...common,
  id: 'tracked-error-get',
  method: 'GET',
  path: `${path}/:error_id`,
  summary: 'An error, and the occurrence that began it or brought it back',
  access: reader,
  params: one,
  response: singleErrorView,
});

export const updateError = defineEndpoint({
  ...common,
  id: 'tracked-error-update',
  method: 'PUT',
  path: `${path}/:error_id`,
  summary: 'Resolve an error, ignore it, or take that back; a resolved one that is seen again is unresolved',
  access: developer,
  params: {
    ...one,
    status: described(required(oneOf(...ERROR_STATUSES)), 'The new status', { examples: ['resolved'] }),
  },
  response: singleErrorView,
});

export const deleteError = defineEndpoint({
  ...common,
  id: 'tracked-error-delete',
  method: 'DELETE',
  path: `${path}/:error_id`,
  summary: 'Delete an error with all its occurrences; seen again, it is a new one',
  access: developer,
  params: one,
  status: 204,
});

export const trackedErrorEndpoints = [listErrors, getError, updateError, deleteError];
