import type { FreezePeriodEvent } from '@forgelog/contracts/ci/freeze-periods/freeze-period.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { freezePeriods, freezePeriodsProjection } from './freeze-periods.projection.ts';

const period = { freezeStart: '0 23 * * 5', freezeEnd: '0 7 * * 1', cronTimezone: 'UTC' };
const created = (freezePeriodId: number, projectId = 7): FreezePeriodEvent => ({
  type: 'FreezePeriodCreated',
  data: { freezePeriodId, projectId, ...period },
});

test('a period is stored as it was changed last', async () => {
  const given = givenEvents(freezePeriodsProjection, created(1), {
    type: 'FreezePeriodUpdated',
    data: { freezePeriodId: 1, projectId: 7, changes: { cronTimezone: 'Europe/Berlin' }, previous: null },
  });
  await given.thenDocuments(freezePeriods, [{ id: 1, projectId: 7, cronTimezone: 'Europe/Berlin' }]);
});

test('a period is deleted by itself and with its project', async () => {
  const deletion: FreezePeriodEvent = {
    type: 'FreezePeriodDeleted',
    data: { freezePeriodId: 1, projectId: 7 },
  };
  await givenEvents(
    freezePeriodsProjection,
    ...[created(1), created(2), created(3, 8)],
    deletion,
    projectDeleted(7).event,
  ).thenDocuments(freezePeriods, [{ id: 3 }]);
});
