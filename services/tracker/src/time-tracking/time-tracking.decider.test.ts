import type { DomainEvent } from '@forgelog/contracts/event.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { MAX_SECONDS, type TimeCommand, type Times, timeBooking } from './time-tracking.decider.ts';

const book = timeBooking({ estimateSet: 'EstimateSet', spentAdded: 'SpentAdded', spentReset: 'SpentReset' });

/** A target that has times and nothing else. */
const decider: Decider<Times, TimeCommand, DomainEvent<string, { ticketId: number; seconds?: number }>> = {
  initialState: { timeEstimate: 0, timeSpent: 0 },
  decide: (command, state) => book(command, state, { ticketId: 3 }),
  evolve(state, { type, data: { seconds = 0 } }) {
    if (type === 'EstimateSet') return { ...state, timeEstimate: seconds };
    return { ...state, timeSpent: type === 'SpentReset' ? 0 : state.timeSpent + seconds };
  },
};

const set = (seconds: number, before = 0) => ({
  type: 'EstimateSet',
  data: {
    ...{ ticketId: 3, seconds },
    ...{ changes: { timeEstimate: seconds }, previous: { timeEstimate: before } },
  },
});
const added = (seconds: number) => ({
  type: 'SpentAdded',
  data: { ticketId: 3, userId: 4, seconds, summary: 'Looked' },
});
const reset = {
  type: 'SpentReset',
  data: { ticketId: 3, changes: { timeSpent: 0 }, previous: { timeSpent: 60 } },
};
const estimate = (seconds: number): TimeCommand => ({ type: 'SetTimeEstimate', seconds });
const add = (seconds: number): TimeCommand => ({
  type: 'AddTimeSpent',
  userId: 4,
  seconds,
  summary: 'Looked',
});

test('an estimate is set, cleared and bounded', () => {
  given(decider).when(estimate(3600)).thenEvents(set(3600));
  given(decider, set(3600)).when(estimate(3600)).thenEvents();
  given(decider, set(3600)).when(estimate(0)).thenEvents(set(0, 3600));
  given(decider)
    .when(estimate(-1))
    .thenRejected('validation_failed', {
      message: { time_estimate: ['must have a valid format and be greater than or equal to zero.'] },
    });
  given(decider).when(estimate(MAX_SECONDS)).thenEvents(set(MAX_SECONDS));
  given(decider)
    .when(estimate(MAX_SECONDS + 1))
    .thenRejected('validation_failed');
});

test('time spent adds up, can be taken back, and stays between nothing and its bound', () => {
  given(decider, added(60)).when(add(-60)).thenEvents(added(-60));
  given(decider, added(60)).when(add(0)).thenEvents();
  given(decider, added(60))
    .when(add(-61))
    .thenRejected('validation_failed', {
      message: { base: ['Time to subtract exceeds the total time spent'] },
    });
  given(decider, added(60)).when(add(MAX_SECONDS)).thenRejected('validation_failed');
});

test('time spent is reset where there is some', () => {
  given(decider, added(60)).when({ type: 'ResetTimeSpent' }).thenEvents(reset);
  given(decider, added(60), reset).when({ type: 'ResetTimeSpent' }).thenEvents();
  given(decider, added(60), reset).when(add(-1)).thenRejected('validation_failed');
});
