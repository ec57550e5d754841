import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './client-key.events.examples.json' with { type: 'json' };

/** The keys of a project are one stream, because their number is bounded. No event has a key: they are derived. */
const common = {
  version: 1,
  subject: 'errorTrackingClientKeys-<projectId>',
  service: 'tracker',
  audit: privileged('Project', 'ErrorTrackingClientKey'),
  activity: 'unnamed',
  schema: z.object({
    errorTrackingClientKeyId: z.int().describe('Id of the key by which programs report errors.'),
    projectId,
  }),
} as const;

export const ErrorTrackingClientKeyCreated = defineEvent({
  ...common,
  type: 'ErrorTrackingClientKeyCreated',
  description: 'A project got a key by which programs report their errors to it.',
  example: examples.ErrorTrackingClientKeyCreated,
});

export const ErrorTrackingClientKeyDeleted = defineEvent({
  ...common,
  type: 'ErrorTrackingClientKeyDeleted',
  description: 'A key by which programs reported their errors was deleted.',
  example: examples.ErrorTrackingClientKeyDeleted,
});

export const clientKeyEvents = [ErrorTrackingClientKeyCreated, ErrorTrackingClientKeyDeleted] as const;
export type ClientKeyEvent = EventOf<(typeof clientKeyEvents)[number]>;
