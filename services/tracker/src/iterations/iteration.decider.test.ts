import type { IterationEvent } from '@forgelog/contracts/tracker/iterations/iteration.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import {
  type CadenceAttributes,
  type IterationCommand,
  iterationDecider,
  MOST_ITERATIONS,
} from './iteration.decider.ts';

const cadence = { cadenceId: 1, groupId: 5 };
const attributes: CadenceAttributes = {
  ...{ title: 'Weeks', description: null, startDate: '2030-01-07', durationInWeeks: 1 },
  ...{ iterationsInAdvance: 1, automatic: true, active: true, rollOver: false },
};
const byHand = { ...attributes, automatic: false };
const today = '2030-01-08';
const cadenceCreated = (given: CadenceAttributes): IterationEvent => ({
  type: 'IterationCadenceCreated',
  data: { ...cadence, ...given },
});
const create = (more: Partial<CadenceAttributes> = {}, iterationIds = [10, 11, 12]): IterationCommand => ({
  ...{ type: 'CreateCadence', ...cadence, attributes: { ...attributes, ...more }, today, iterationIds },
});
const iteration = (id: number, iid: number, more = {}): IterationEvent => ({
  type: 'IterationCreated',
  data: {
    ...{ iterationId: id, ...cadence, iid, title: null, description: null, hasEnded: false },
    ...{ startDate: '2030-01-07', dueDate: '2030-01-13', ...more },
  },
});
const first = iteration(10, 1, { title: 'Iteration 1: January 7, 2030 - January 13, 2030' });
const second = iteration(11, 2, {
  ...{ title: 'Iteration 2: January 14, 2030 - January 20, 2030' },
  ...{ startDate: '2030-01-14', dueDate: '2030-01-20' },
});
const schedule = (today: string, iterationIds = [12]): IterationCommand => ({
  ...{ type: 'ScheduleIterations', ...cadence, today, iterationIds },
});
const refused = (fields: object) => ['validation_failed', { message: fields }] as const;

test('an automatic cadence makes what it lacks, and never twice', () => {
  given(iterationDecider).when(create()).thenEvents(cadenceCreated(attributes), first, second);
  const there = [cadenceCreated(attributes), first, second];
  given(iterationDecider, ...there)
    .when(schedule(today))
    .thenEvents();
  const third = {
    ...{ title: 'Iteration 3: January 21, 2030 - January 27, 2030' },
    ...{ startDate: '2030-01-21', dueDate: '2030-01-27' },
  };
  given(iterationDecider, ...there)
    .when(schedule('2030-01-14'))
    .thenEvents(iteration(12, 3, third));
  for (const off of [{ automatic: false }, { active: false }])
    given(iterationDecider)
      .when(create(off))
      .thenEvents(cadenceCreated({ ...attributes, ...off }));
});

test('a cadence has a title of its own, and days where it is automatic', () => {
  const nothing = { startDate: null, durationInWeeks: null, iterationsInAdvance: null };
  const blank = ["can't be blank"];
  given(iterationDecider)
    .when(create({ ...nothing, title: ' ' }))
    .thenRejected(
      ...refused({
        ...{ title: blank, start_date: blank, duration_in_weeks: blank, iterations_in_advance: blank },
      }),
    );
  given(iterationDecider, cadenceCreated(byHand))
    .when({ ...create(), cadenceId: 2 })
    .thenRejected(...refused({ title: ['has already been taken'] }));
  given(iterationDecider)
    .when({ type: 'UpdateCadence', ...cadence, changes: {}, today, iterationIds: [] })
    .thenRejected('record_not_found');
});

test('a cadence that becomes automatic makes iterations behind those that are there', () => {
  given(iterationDecider, cadenceCreated(byHand), iteration(10, 1, { dueDate: '2030-01-13' }))
    .when({ type: 'UpdateCadence', ...cadence, changes: { automatic: true }, today, iterationIds: [11] })
    .thenEvents(
      {
        type: 'IterationCadenceUpdated',
        data: { ...cadence, changes: { automatic: true }, previous: { automatic: false } },
      },
      second,
    );
});

const hand = (iterationId: number, more = {}): IterationCommand => ({
  ...{ type: 'CreateIteration', ...cadence, iterationId },
  attributes: { title: null, description: null, startDate: '2030-01-07', dueDate: '2030-01-13', ...more },
});

test('iterations that are made by hand do not overlap, and have titles of their own', () => {
  given(iterationDecider, cadenceCreated(byHand)).when(hand(10)).thenEvents(iteration(10, 1));
  const overlap = ['Dates cannot overlap with other existing Iterations within this iterations cadence'];
  const there = [cadenceCreated(byHand), iteration(10, 1, { title: 'One' })];
  given(iterationDecider, ...there)
    .when(hand(11, { title: 'One', startDate: '2030-01-13', dueDate: '2030-02-01' }))
    .thenRejected(...refused({ title: ['has already been taken'], base: overlap }));
  given(iterationDecider, cadenceCreated(byHand))
    .when(hand(10, { dueDate: '2030-01-06' }))
    .thenRejected(...refused({ due_date: ['must be greater than start date'] }));
  given(iterationDecider, cadenceCreated(attributes)).when(hand(10)).thenRejected('bad_request');
  const update = (changes: object): IterationCommand => ({
    ...{ type: 'UpdateIteration', ...cadence, iterationId: 10, changes, today },
  });
  given(iterationDecider, cadenceCreated(attributes), first)
    .when(update({ dueDate: '2030-02-01' }))
    .thenRejected('bad_request');
  given(iterationDecider, cadenceCreated(attributes), first)
    .when(update({ title: 'Calm' }))
    .thenEvents({
      type: 'IterationUpdated',
      data: {
        ...{ iterationId: 10, ...cadence, changes: { title: 'Calm' } },
        previous: { title: 'Iteration 1: January 7, 2030 - January 13, 2030' },
      },
    });
});

test('an iteration ends once, after its last day, and goes on where it is made longer', () => {
  const end = (today: string): IterationCommand => ({
    ...{ type: 'EndIteration', ...cadence, iterationId: 10, today },
  });
  const changed = (to: object, from: object): IterationEvent => ({
    type: 'IterationUpdated',
    data: { iterationId: 10, ...cadence, changes: to, previous: from },
  });
  const there = [cadenceCreated(byHand), iteration(10, 1)];
  const ended = changed({ hasEnded: true }, { hasEnded: false });
  given(iterationDecider, ...there)
    .when(end('2030-01-13'))
    .thenEvents();
  given(iterationDecider, ...there)
    .when(end('2030-01-14'))
    .thenEvents(ended);
  given(iterationDecider, ...there, ended)
    .when(end('2030-01-14'))
    .thenEvents();
  given(iterationDecider, ...there, ended)
    .when({
      ...{ type: 'UpdateIteration', ...cadence, iterationId: 10, today: '2030-01-14' },
      changes: { dueDate: '2030-01-20' },
    })
    .thenEvents(
      changed({ dueDate: '2030-01-20', hasEnded: false }, { dueDate: '2030-01-13', hasEnded: true }),
    );
});

test(`a group has ${MOST_ITERATIONS} iterations at most, and they go with their cadence`, () => {
  const one = { cadenceId: 1, title: null, description: null, hasEnded: true };
  const days = { startDate: '2000-01-01', dueDate: '2000-01-01' };
  const full = {
    lastIid: MOST_ITERATIONS,
    cadences: new Map([
      [1, byHand],
      [2, { ...attributes, title: 'Other' }],
    ]),
    iterations: new Map(Array.from({ length: MOST_ITERATIONS }, (_, id) => [id, { ...one, ...days }])),
  };
  given({ ...iterationDecider, initialState: full })
    .when(hand(9999))
    .thenRejected('bad_request');
  given({ ...iterationDecider, initialState: full })
    .when({ ...schedule(today), cadenceId: 2 })
    .thenEvents();
  const gone: IterationEvent = { type: 'IterationCadenceDeleted', data: cadence };
  given({ ...iterationDecider, initialState: full }, gone)
    .when({ ...schedule(today), cadenceId: 2 })
    .thenEvents({
      type: 'IterationCreated',
      data: {
        ...{ iterationId: 12, cadenceId: 2, groupId: 5, iid: MOST_ITERATIONS + 1, description: null },
        title: `Iteration ${MOST_ITERATIONS + 1}: January 7, 2030 - January 13, 2030`,
        ...{ startDate: '2030-01-07', dueDate: '2030-01-13', hasEnded: false },
      },
    });
});
