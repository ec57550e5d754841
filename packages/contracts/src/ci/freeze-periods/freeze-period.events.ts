import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';

/** Streams `freezePeriod-<id>`. */
const period = { freezeStart: z.string(), freezeEnd: z.string(), cronTimezone: z.string() };

export const FreezePeriodCreated = defineEvent({
  type: 'FreezePeriodCreated',
  version: 1,
  service: 'ci',
  audit: privileged('Project', 'FreezePeriod'),
  activity: 'unnamed',
  schema: z.object({ freezePeriodId: z.int(), projectId: z.int(), ...period }),
});

export const FreezePeriodUpdated = defineEvent({
  type: 'FreezePeriodUpdated',
  version: 1,
  service: 'ci',
  audit: privileged('Project', 'FreezePeriod'),
  activity: 'unnamed',
  schema: z.object({ freezePeriodId: z.int(), projectId: z.int(), changes: z.object(period).partial() }),
});

export const FreezePeriodDeleted = defineEvent({
  type: 'FreezePeriodDeleted',
  version: 1,
  service: 'ci',
  audit: privileged('Project', 'FreezePeriod'),
  activity: 'unnamed',
  schema: z.object({ freezePeriodId: z.int(), projectId: z.int() }),
});

export const freezePeriodEvents = [FreezePeriodCreated, FreezePeriodUpdated, FreezePeriodDeleted] as const;
export type FreezePeriodEvent = EventOf<(typeof freezePeriodEvents)[number]>;
