import type { FreezePeriodEvent } from '@forgelog/contracts/ci/freeze-periods/freeze-period.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { freezePeriodDecider } from './freeze-period.decider.ts';

const ids = { freezePeriodId: 3, projectId: 7 };
const period = { freezeStart: '0 23 * * 5', freezeEnd: '0 7 * * 1', cronTimezone: 'UTC' };
const created: FreezePeriodEvent = { type: 'FreezePeriodCreated', data: { ...ids, ...period } };
const deleted: FreezePeriodEvent = { type: 'FreezePeriodDeleted', data: ids };
const create = { type: 'CreateFreezePeriod', ...ids, ...period } as const;
const update = (changes: Partial<typeof period>) =>
  ({ type: 'UpdateFreezePeriod', ...ids, changes }) as const;
const remove = { type: 'DeleteFreezePeriod', ...ids } as const;

test('a freeze period is created once', () => {
  given(freezePeriodDecider).when(create).thenEvents(created);
  given(freezePeriodDecider, created).when(create).thenRejected('conflict');
});

test('both ends must be cron expressions and the time zone must exist, and all problems are reported at once', () => {
  given(freezePeriodDecider)
    .when({ ...create, freezeStart: '@daily', freezeEnd: '* * * * * *', cronTimezone: 'Moon/Base' })
    .thenRejected('validation_failed', {
      message: {
        freeze_start: ['is invalid syntax'],
        freeze_end: ['is invalid syntax'],
        cron_timezone: ['is invalid syntax'],
      },
    });
});

test('an update records only changes, with their old values', () => {
  const freezeEnd = '0 8 * * 1';
  given(freezePeriodDecider, created)
    .when(update({ freezeEnd, cronTimezone: 'UTC' }))
    .thenEvents({
      type: 'FreezePeriodUpdated',
      data: { ...ids, changes: { freezeEnd }, previous: { freezeEnd: period.freezeEnd } },
    });
  given(freezePeriodDecider, created)
    .when(update({ cronTimezone: 'UTC' }))
    .thenEvents();
  given(freezePeriodDecider, created)
    .when(update({ freezeEnd: 'never' }))
    .thenRejected('validation_failed');
});

test('a deleted freeze period, or one of another project, is not found', () => {
  given(freezePeriodDecider, created).when(remove).thenEvents(deleted);
  given(freezePeriodDecider, created, deleted).when(remove).thenRejected('record_not_found');
  given(freezePeriodDecider, created)
    .when({ ...remove, projectId: 8 })
    .thenRejected('record_not_found');
  given(freezePeriodDecider).when(update({})).thenRejected('record_not_found');
});
