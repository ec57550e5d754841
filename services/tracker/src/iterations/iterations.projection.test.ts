import type { IterationEvent } from '@forgelog/contracts/tracker/iterations/iteration.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { iterationCadences, iterations, iterationsProjection } from './iterations.projection.ts';

const cadence = { cadenceId: 1, groupId: 5 };
const cadenceCreated: IterationEvent = {
  type: 'IterationCadenceCreated',
  data: {
    ...{ ...cadence, title: 'Weeks', description: null, startDate: '2030-01-07', durationInWeeks: 1 },
    ...{ iterationsInAdvance: 1, automatic: true, active: true, rollOver: false },
  },
};
const created: IterationEvent = {
  type: 'IterationCreated',
  data: {
    ...{ iterationId: 10, ...cadence, iid: 1, title: 'One', description: null },
    ...{ startDate: '2030-01-07', dueDate: '2030-01-13', hasEnded: false },
  },
};

test('iterations are in a cadence, and both end by themselves or with what they are in', async () => {
  const updated: IterationEvent = {
    type: 'IterationUpdated',
    data: { iterationId: 10, ...cadence, changes: { hasEnded: true }, previous: { hasEnded: false } },
  };
  const off: IterationEvent = {
    type: 'IterationCadenceUpdated',
    data: { ...cadence, changes: { active: false }, previous: { active: true } },
  };
  const there = [cadenceCreated, created];
  await givenEvents(iterationsProjection, ...there, updated).thenDocuments(iterations, [
    { id: 10, iid: 1, cadenceId: 1, groupId: 5, title: 'One', dueDate: '2030-01-13', hasEnded: true },
  ]);
  await givenEvents(iterationsProjection, ...there, off).thenDocuments(iterationCadences, [
    { id: 1, groupId: 5, title: 'Weeks', active: false, automatic: true },
  ]);
  const ends = [
    { type: 'IterationDeleted', data: { iterationId: 10, ...cadence } },
    { type: 'IterationCadenceDeleted', data: cadence },
    { type: 'GroupDeleted', data: { groupId: 5 } },
  ];
  for (const end of ends)
    await givenEvents(iterationsProjection, ...there, end).thenDocuments(iterations, []);
  for (const end of ends.slice(1))
    await givenEvents(iterationsProjection, ...there, end).thenDocuments(iterationCadences, []);
});
