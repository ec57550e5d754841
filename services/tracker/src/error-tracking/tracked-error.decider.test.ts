import type { TrackedErrorEvent } from '@forgelog/contracts/tracker/error-tracking/tracked-error.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import type { ErrorFacts } from './reported-error.rules.ts';
import { type TrackedErrorCommand, trackedErrorDecider } from './tracked-error.decider.ts';

const FIRST = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T13:00:00.000Z';
const at = { projectId: 7, fingerprint: 'f' };
const facts: ErrorFacts = {
  ...{ errorType: 'TypeError', message: 'a', culprit: '', level: 'error', platform: 'node' },
  ...{ environment: null, release: null },
};
const occurrence = (seenAt: string) => ({ reportId: '', seenAt, exceptions: [], request: null, tags: {} });
const report = (seenAt: string): TrackedErrorCommand => ({
  ...{ type: 'ReportError', ...at, trackedErrorId: 2, facts, occurrence: occurrence(seenAt) },
});
const created: TrackedErrorEvent = {
  type: 'TrackedErrorCreated',
  data: { trackedErrorId: 1, ...at, ...facts, occurrence: occurrence(FIRST) },
};
const resolved: TrackedErrorEvent = {
  type: 'TrackedErrorUpdated',
  data: {
    ...{ trackedErrorId: 1, ...at },
    ...{ changes: { status: 'resolved' }, previous: { status: 'unresolved' } },
  },
};
const set = (status: 'resolved' | 'ignored'): TrackedErrorCommand => ({
  ...{ type: 'SetErrorStatus', ...at, trackedErrorId: 1, status },
});

test('the first report makes an error, and later ones are counted', () => {
  given(trackedErrorDecider)
    .when(report(FIRST))
    .thenEvents({ ...created, data: { ...created.data, trackedErrorId: 2 } } as TrackedErrorEvent);
  const seen = (occurrences: number, lastSeenAt: string): TrackedErrorEvent => ({
    type: 'TrackedErrorSeen',
    data: {
      ...{ trackedErrorId: 1, ...at, changes: { occurrences, lastSeenAt } },
      previous: { occurrences: 1, lastSeenAt: FIRST },
    },
  });
  given(trackedErrorDecider, created).when(report(LATER)).thenEvents(seen(2, LATER));
  const count = { type: 'CountOccurrences', ...at, occurrences: 40 } as const;
  given(trackedErrorDecider, created)
    .when({ ...count, lastSeenAt: LATER })
    .thenEvents(seen(41, LATER));
  given(trackedErrorDecider, created)
    .when({ ...count, lastSeenAt: '2026-11-20T11:00:00.000Z' })
    .thenEvents(seen(41, FIRST));
});

test('a resolved error that is seen again is open again, and an ignored one stays so', () => {
  given(trackedErrorDecider, created).when(set('resolved')).thenEvents(resolved);
  given(trackedErrorDecider, created, resolved).when(set('resolved')).thenEvents();
  given(trackedErrorDecider, created, resolved)
    .when(report(LATER))
    .thenEvents({
      type: 'TrackedErrorReopened',
      data: {
        ...{ trackedErrorId: 1, ...at, occurrence: occurrence(LATER) },
        changes: { status: 'unresolved', occurrences: 2, lastSeenAt: LATER },
        previous: { status: 'resolved', occurrences: 1, lastSeenAt: FIRST },
      },
    });
});

test('a deleted error takes no counts and no status, and is new when it is seen again', () => {
  const gone: TrackedErrorEvent = { type: 'TrackedErrorDeleted', data: { trackedErrorId: 1, ...at } };
  const remove = { type: 'DeleteError', ...at, trackedErrorId: 1 } as const;
  given(trackedErrorDecider, created).when(remove).thenEvents(gone);
  given(trackedErrorDecider, created, gone).when(remove).thenRejected('record_not_found');
  given(trackedErrorDecider, created, gone).when(set('ignored')).thenRejected('record_not_found');
  given(trackedErrorDecider, created, gone)
    .when({ type: 'CountOccurrences', ...at, occurrences: 1, lastSeenAt: LATER })
    .thenEvents();
  given(trackedErrorDecider, created, gone)
    .when(report(FIRST))
    .thenEvents({ ...created, data: { ...created.data, trackedErrorId: 2 } } as TrackedErrorEvent);
});
