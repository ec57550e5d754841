import type { PipelineScheduleEvent } from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.events.ts';
import { createSealer } from '@forgelog/service-kit/sealed.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import {
  pipelineScheduleDecider as decider,
  type PipelineScheduleCommand,
} from './pipeline-schedule.decider.ts';
import type { ScheduleVariable } from './pipeline-schedule.rules.ts';

const ids = { pipelineScheduleId: 3, projectId: 7 };
const nightly = {
  ...{ ownerId: 2, description: 'Nightly', ref: 'main', cron: '30 2 * * *', cronTimezone: 'UTC' },
  active: true,
};
const now = '2026-01-01T12:00:00.000Z';
const nextRunAt = '2026-01-02T02:30:00.000Z';
const created: PipelineScheduleEvent = {
  type: 'PipelineScheduleCreated',
  data: { ...ids, ...nightly, nextRunAt },
};
const deleted: PipelineScheduleEvent = { type: 'PipelineScheduleDeleted', data: ids };
const create = { type: 'CreatePipelineSchedule', ...ids, ...nightly, now } as const;
const owner = { userId: 2, isMaintainer: false };
const update = (changes: object, by = owner): PipelineScheduleCommand => ({
  type: 'UpdatePipelineSchedule',
  ...{ ...ids, by, changes, now },
});
const updated = (changes: object, previous: object): PipelineScheduleEvent => ({
  type: 'PipelineScheduleUpdated',
  data: { ...ids, changes, previous, withheldChanges: [] },
});
const runDue = (at: string): PipelineScheduleCommand => ({ type: 'RunDuePipelineSchedule', ...ids, now: at });
const ran = (dueAt: string, next: string): PipelineScheduleEvent => ({
  type: 'PipelineScheduleRan',
  data: { ...ids, userId: 2, dueAt, changes: { nextRunAt: next }, previous: { nextRunAt: dueAt } },
});

test('a new schedule knows when it is due first', () => {
  given(decider).when(create).thenEvents(created);
  given(decider, created).when(create).thenRejected('conflict');
  given(decider)
    .when({ ...create, cron: '* *', cronTimezone: 'Mars', description: ' ', ref: '' })
    .thenRejected('validation_failed', {
      message: {
        cron: ['is invalid syntax'],
        cron_timezone: ['is invalid syntax'],
        description: ["can't be blank"],
        ref: ["can't be blank"],
      },
    });
});

test('a due schedule runs once for each time, whoever asks again', () => {
  given(decider, created).when(runDue('2026-01-02T02:29:59.999Z')).thenEvents();
  const next = '2026-01-03T02:30:00.000Z';
  given(decider, created).when(runDue('2026-01-02T02:30:00.000Z')).thenEvents(ran(nextRunAt, next));
  given(decider, created, ran(nextRunAt, next)).when(runDue('2026-01-02T02:30:00.000Z')).thenEvents();
});

test('missed times are one run', () => {
  given(decider, created)
    .when(runDue('2026-02-10T12:00:00.000Z'))
    .thenEvents(ran(nextRunAt, '2026-02-11T02:30:00.000Z'));
});

test('a schedule that is inactive, deleted or of another project does not run', () => {
  const late = '2027-01-01T00:00:00.000Z';
  given(decider, created, updated({ active: false }, { active: true }))
    .when(runDue(late))
    .thenEvents();
  given(decider, created, deleted).when(runDue(late)).thenEvents();
  given(decider, created)
    .when({ ...runDue(late), projectId: 8 })
    .thenEvents();
});

test('a changed time is due from now on', () => {
  given(decider, created)
    .when(update({ cron: '0 13 * * *' }))
    .thenEvents(
      updated(
        { cron: '0 13 * * *', nextRunAt: '2026-01-01T13:00:00.000Z' },
        { cron: nightly.cron, nextRunAt },
      ),
    );
  const past = updated({ active: false, nextRunAt: '2020-01-01T02:30:00.000Z' }, { active: true, nextRunAt });
  given(decider, created, past)
    .when(update({ active: true }))
    .thenEvents(
      updated({ active: true, nextRunAt }, { active: false, nextRunAt: '2020-01-01T02:30:00.000Z' }),
    );
  given(decider, created)
    .when(update({ description: 'Nightly' }))
    .thenEvents();
  given(decider, created)
    .when(update({ cron: 'x' }))
    .thenRejected('validation_failed');
});

test('a developer changes only their own', () => {
  const other = { userId: 9, isMaintainer: false };
  given(decider, created)
    .when(update({ active: false }, other))
    .thenRejected('forbidden');
  given(decider, created)
    .when({ type: 'DeletePipelineSchedule', ...ids, by: other })
    .thenRejected('forbidden');
  given(decider, created)
    .when({ type: 'DeletePipelineSchedule', ...ids, by: { userId: 9, isMaintainer: true } })
    .thenEvents(deleted);
});

test('schedules of a user who is gone stop, unless somebody else owns them', () => {
  const stop = (userId: number): PipelineScheduleCommand => ({
    type: 'DeactivateSchedulesOf',
    ...{ ...ids, userId },
  });
  given(decider, created)
    .when(stop(2))
    .thenEvents(updated({ active: false }, { active: true }));
  given(decider, created).when(stop(3)).thenEvents();
  given(decider, created, deleted).when(stop(2)).thenEvents();
});

test('whoever plays a schedule runs it, and its next time stays', () => {
  given(decider, created)
    .when({ type: 'PlayPipelineSchedule', ...ids, userId: 9 })
    .thenEvents({
      type: 'PipelineScheduleRan',
      data: { ...ids, userId: 9, dueAt: null, changes: {}, previous: {} },
    });
});

test('variables have one value a key, and a change tells no value', () => {
  const sealer = createSealer(() => Buffer.alloc(32), 'test');
  const variable = (key: string, value = 'full'): ScheduleVariable => ({
    ...{ key, variableType: 'env_var', value: sealer.seal('x', value) },
  });
  const add = (given: ScheduleVariable): PipelineScheduleCommand => ({
    type: 'AddScheduleVariable',
    ...{ ...ids, by: owner, variable: given },
  });
  const has = (...sealedVariables: ScheduleVariable[]): PipelineScheduleEvent => ({
    type: 'PipelineScheduleUpdated',
    data: { ...ids, changes: { sealedVariables }, previous: {}, withheldChanges: ['variables'] },
  });
  const [a, b] = [variable('A'), variable('B')];
  given(decider, created, has(a)).when(add(b)).thenEvents(has(a, b));
  given(decider, created, has(a))
    .when(add(a))
    .thenRejected('validation_failed', { message: { key: ['has already been taken'] } });
  const change = { type: 'ChangeScheduleVariable', ...ids, by: owner, value: b.value } as const;
  given(decider, created, has(a, b))
    .when({ ...change, key: 'A', variableType: 'file' })
    .thenEvents(has({ key: 'A', variableType: 'file', value: b.value }, b));
  given(decider, created, has(a))
    .when({ ...change, key: 'C', variableType: undefined })
    .thenRejected('not_found');
  given(decider, created, has(a))
    .when({ ...change, key: 'C', variableType: 'file' })
    .thenRejected('not_found');
  const remove = (key: string) => ({ type: 'RemoveScheduleVariable', ...ids, by: owner, key }) as const;
  given(decider, created, has(a, b)).when(remove('A')).thenEvents(has(b));
  given(decider, created, has(b)).when(remove('A')).thenRejected('not_found');
  given(decider, created)
    .when(add(variable('A', 'x'.repeat(65_537))))
    .thenRejected('validation_failed', { message: { value: ['is too long (maximum is 65536 bytes)'] } });
  const four = ['A', 'B', 'C', 'D'].map((key) => variable(key, 'x'.repeat(65_536)));
  given(decider, created, has(...four))
    .when(add(variable('E')))
    .thenRejected('validation_failed');
});
