import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './error-tracking.events.examples.json' with { type: 'json' };

const settings = {
  active: z.boolean().describe('Whether errors of the project are tracked.'),
  integrated: z.boolean().describe('Whether this server takes the errors itself.'),
};

const common = {
  version: 1,
  subject: 'errorTracking-<projectId>',
  service: 'tracker',
  audit: privileged('Project', 'ErrorTracking'),
  activity: 'unnamed',
} as const;

export const ErrorTrackingCreated = defineEvent({
  ...common,
  type: 'ErrorTrackingCreated',
  description: 'The error-tracking settings of a project were set for the first time.',
  example: examples.ErrorTrackingCreated,
  schema: z.object({ projectId, ...settings }),
});

export const ErrorTrackingUpdated = defineEvent({
  ...common,
  type: 'ErrorTrackingUpdated',
  description: 'The error-tracking settings of a project changed.',
  example: examples.ErrorTrackingUpdated,
  schema: z.object({ projectId, ...changed(settings) }),
});

export const errorTrackingEvents = [ErrorTrackingCreated, ErrorTrackingUpdated] as const;
export type ErrorTrackingEvent = EventOf<(typeof errorTrackingEvents)[number]>;
