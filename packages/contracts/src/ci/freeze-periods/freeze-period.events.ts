import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { changed, previousUnknown } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './freeze-period.events.examples.json' with { type: 'json' };

const ids = { freezePeriodId: z.int().describe('Id of the freeze period.'), projectId };
const period = {
  freezeStart: z.string().describe('When it begins, as a cron expression.'),
  freezeEnd: z.string().describe('When it ends, as a cron expression.'),
  cronTimezone: z.string().describe('Time zone of both cron expressions.'),
};

export const FreezePeriodCreated = defineEvent({
  type: 'FreezePeriodCreated',
  version: 1,
  description: 'A freeze period, in which a project is not deployed, was created.',
  subject: 'freezePeriod-<freezePeriodId>',
  example: examples.FreezePeriodCreated,
  service: 'ci',
  audit: privileged('Project', 'FreezePeriod'),
  activity: 'unnamed',
  schema: z.object({ ...ids, ...period }),
});

export const FreezePeriodUpdated = defineEvent({
  type: 'FreezePeriodUpdated',
  version: 2,
  description: 'Times of a freeze period changed.',
  subject: 'freezePeriod-<freezePeriodId>',
  example: examples.FreezePeriodUpdated,
  service: 'ci',
  audit: privileged('Project', 'FreezePeriod'),
  activity: 'unnamed',
  schema: z.object({ ...ids, ...changed(period) }),
  upcast: { 1: previousUnknown },
});

export const FreezePeriodDeleted = defineEvent({
  type: 'FreezePeriodDeleted',
  version: 1,
  description: 'A freeze period was deleted.',
  subject: 'freezePeriod-<freezePeriodId>',
  example: examples.FreezePeriodDeleted,
  service: 'ci',
  audit: privileged('Project', 'FreezePeriod'),
  activity: 'unnamed',
  schema: z.object(ids),
});

export const freezePeriodEvents = [FreezePeriodCreated, FreezePeriodUpdated, FreezePeriodDeleted] as const;
export type FreezePeriodEvent = EventOf<(typeof freezePeriodEvents)[number]>;
