import type { ErrorTrackingEvent } from '@forgelog/contracts/tracker/error-tracking/error-tracking.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { errorTrackingDecider } from './error-tracking.decider.ts';

const change = (active: boolean, integrated?: boolean) =>
  ({ type: 'ChangeErrorTracking', projectId: 7, changes: { active, integrated } }) as const;
const created: ErrorTrackingEvent = {
  type: 'ErrorTrackingCreated',
  data: { projectId: 7, active: true, integrated: false },
};

test('settings are set once, and a change tells old and new values', () => {
  given(errorTrackingDecider).when(change(true)).thenEvents(created);
  given(errorTrackingDecider, created).when(change(true, false)).thenEvents();
  given(errorTrackingDecider, created)
    .when(change(true, true))
    .thenEvents({
      type: 'ErrorTrackingUpdated',
      data: { projectId: 7, changes: { integrated: true }, previous: { integrated: false } },
    });
});
