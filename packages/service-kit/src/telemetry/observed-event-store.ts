import { type EventStore, WrongExpectedRevisionError } from '@forgelog/eventing/event-store.ts';
import type { Telemetry } from './telemetry.ts';

/** Seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function observedEventStore(store: EventStore, { metrics, tracer }: Telemetry): EventStore {
  const durations = metrics
    .histogram({
      name: 'forgelog_append_duration_seconds',
      help: 'Time from an append to its acknowledgement, by which it is on disk.',
      buckets: BUCKETS,
    })
    .of();
  const events = metrics.counter({ name: 'forgelog_events_appended_total', help: 'Events appended.' }).of();
  const failures = metrics.counter({
    name: 'forgelog_append_failures_total',
    help: 'Appends that were refused: a conflict is tried again, all else is a failure of the store.',
    labels: ['reason'],
  });
  const [conflicts, others] = [failures.of('conflict'), failures.of('store')];
  return {
    ...store,
    async append(stream, expected, given) {
      const begin = performance.now();
      const parent = given[0]?.metadata.traceparent;
      const span =
        parent === undefined
          ? undefined
          : tracer?.start(`append ${given[0]!.type}`, {
              component: 'event-store',
              kind: 'client',
              parent,
              attributes: { 'forgelog.stream': stream, 'forgelog.events': given.length },
            });
      try {
        const appended = await store.append(stream, expected, given);
        durations.observe((performance.now() - begin) / 1000);
        events.add(given.length);
        span?.set({ 'forgelog.position': appended.position });
        return appended;
      } catch (error) {
        (error instanceof WrongExpectedRevisionError ? conflicts : others).add();
        span?.fail(error);
        throw error;
      } finally {
        span?.end();
      }
    },
  };
}
