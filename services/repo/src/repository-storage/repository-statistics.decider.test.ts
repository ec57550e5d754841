import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { statisticsDecider } from './repository-statistics.decider.ts';

const measured = { projectId: 1, repositorySize: 100, commitCount: 2, readmePath: null };
const event = { type: 'RepositoryMeasured' as const, data: measured };

test('the first measurement is recorded', () => {
  given(statisticsDecider).when({ type: 'RecordMeasure', measured }).thenEvents(event);
});

test('an unchanged measurement is not recorded', () => {
  given(statisticsDecider, event).when({ type: 'RecordMeasure', measured }).thenEvents();
});

test('a changed measurement is recorded', () => {
  const grown = { ...measured, commitCount: 3 };
  given(statisticsDecider, event)
    .when({ type: 'RecordMeasure', measured: grown })
    .thenEvents({ type: 'RepositoryMeasured', data: grown });
});
