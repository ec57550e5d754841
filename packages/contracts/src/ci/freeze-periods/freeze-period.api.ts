import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, fallback, int, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './freeze-period.examples.json' with { type: 'json' };

/** Freeze period [L90]. */
export const freezePeriodView = defineView(
  'FreezePeriod',
  {
    id: z.int(),
    freeze_start: z.string(),
    freeze_end: z.string(),
    cron_timezone: z.string(),
    created_at: datetimeView,
    updated_at: datetimeView,
  },
  examples.FreezePeriod,
);

const base = '/projects/:id/freeze_periods';
const one = { id: projectId, freeze_period_id: described(required(int()), 'Id of the freeze period') };
// All endpoints require Maintainer [L310].
const common = { service: 'ci', access: project('maintainer') } as const;

export const listFreezePeriods = defineEndpoint({
  ...common,
  id: 'freeze-period-list',
  method: 'GET',
  path: base,
  summary: 'Freeze periods of a project, the oldest first',
  spec: 'api-v4 L314',
  params: { id: projectId },
  pagination: 'offset',
  response: z.array(freezePeriodView),
});

export const getFreezePeriod = defineEndpoint({
  ...common,
  id: 'freeze-period-get',
  method: 'GET',
  path: `${base}/:freeze_period_id`,
  summary: 'One freeze period',
  spec: 'api-v4 L315',
  params: one,
  response: freezePeriodView,
});

export const createFreezePeriod = defineEndpoint({
  ...common,
  id: 'freeze-period-create',
  method: 'POST',
  path: base,
  summary: 'Create a freeze period',
  spec: 'api-v4 L316',
  params: {
    id: projectId,
    freeze_start: described(required(text({ max: 255 })), 'When it begins, as a cron expression', {
      examples: ['0 23 * * 5'],
    }),
    freeze_end: described(required(text({ max: 255 })), 'When it ends, as a cron expression', {
      examples: ['0 8 * * 1'],
    }),
    cron_timezone: described(
      fallback(text({ max: 255 }), 'UTC'),
      'Time zone of both, by its name in the tz database',
      { examples: ['UTC'] },
    ),
  },
  status: 201,
  response: freezePeriodView,
});

export const updateFreezePeriod = defineEndpoint({
  ...common,
  id: 'freeze-period-update',
  method: 'PUT',
  path: `${base}/:freeze_period_id`,
  summary: 'Change a freeze period',
  spec: 'api-v4 L317',
  params: {
    ...one,
    freeze_start: described(text({ max: 255 }), 'When it begins, as a cron expression', {
      examples: ['0 23 * * 5'],
    }),
    freeze_end: described(text({ max: 255 }), 'When it ends, as a cron expression', {
      examples: ['0 8 * * 1'],
    }),
    cron_timezone: described(text({ max: 255 }), 'Time zone of both, by its name in the tz database', {
      examples: ['UTC'],
    }),
  },
  response: freezePeriodView,
});

export const deleteFreezePeriod = defineEndpoint({
  ...common,
  id: 'freeze-period-delete',
  method: 'DELETE',
  path: `${base}/:freeze_period_id`,
  summary: 'Delete a freeze period',
  spec: 'api-v4 L318',
  params: one,
  status: 204,
});

export const freezePeriodEndpoints = [
  listFreezePeriods,
  getFreezePeriod,
  createFreezePeriod,
  updateFreezePeriod,
  deleteFreezePeriod,
];
