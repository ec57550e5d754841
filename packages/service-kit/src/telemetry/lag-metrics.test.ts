import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { expect, test } from 'vitest';
import { addLagMetrics, type LagPorts } from './lag-metrics.ts';
import { createMetrics } from './metrics.ts';

/** A log of events 1, 2, 3 that happened at seconds 10, 20, 30; the clock shows second 60. */
function setUp(ports: Partial<LagPorts>) {
  let reads = 0;
  const metrics = createMetrics();
  addLagMetrics(metrics, {
    store: {
      head: async () => '3',
      async readAll({ after }) {
        reads++;
        const next = Number(after) + 1;
        return [{ time: new Date(next * 10_000).toISOString() } as RecordedEvent];
      },
    },
    clock: () => new Date(60_000),
    projections: () => [],
    policies: () => [],
    feeds: () => [],
    ...ports,
  });
  return { metrics, reads: () => reads };
}

test('a follower lags by the age of its next event; each position is read once', async () => {
  const at = (projection: string, position: string) => ({ projection, position, halted: null });
  const { metrics, reads } = setUp({
    projections: () => [at('new', ''), at('behind', '2'), at('also', '2'), at('done', '3')],
    feeds: () => [{ feed: 'kafka', position: '1' }],
  });
  const text = await metrics.text();
  expect(text).toContain('forgelog_projection_lag_seconds{projection="new"} 50\n');
  expect(text).toContain('forgelog_projection_lag_seconds{projection="behind"} 30\n');
  expect(text).toContain('forgelog_projection_lag_seconds{projection="also"} 30\n');
  expect(text).toContain('forgelog_projection_lag_seconds{projection="done"} 0\n');
  expect(text).toContain('forgelog_feed_lag_seconds{feed="kafka"} 40\n');
  expect(reads()).toBe(3);
});

test('the slowest subscriber of a feed counts', async () => {
  const feeds = () => ['3', '1', '2'].map((position) => ({ feed: 'event_stream', position }));
  const { metrics } = setUp({ feeds });
  const text = await metrics.text();
  expect(text.match(/^forgelog_feed_lag_seconds\{.*$/gm)).toEqual([
    'forgelog_feed_lag_seconds{feed="event_stream"} 40',
  ]);
});

test('a named subscriber has a lag of its own, also after it left', async () => {
  const { metrics } = setUp({
    feeds: () => [
      { feed: 'event_stream', position: '3' },
      { feed: 'event_stream', subscriber: 'here', position: '2' },
      { subscriber: 'gone', position: '1' },
    ],
  });
  const text = await metrics.text();
  expect(text.match(/^forgelog_(feed|subscriber)_lag_seconds\{.*$/gm)).toEqual([
    'forgelog_feed_lag_seconds{feed="event_stream"} 30',
    'forgelog_subscriber_lag_seconds{subscriber="here"} 30',
    'forgelog_subscriber_lag_seconds{subscriber="gone"} 40',
  ]);
});

test('halted projections and failing policies are reported', async () => {
  const error = new Error('no');
  const { metrics } = setUp({
    projections: () => [{ projection: 'p', position: '1', halted: { position: '2', error } }],
    policies: () => [
      { policy: 'a', position: '1', failing: { position: '2', attempts: 4, error } },
      { policy: 'b', position: '3', failing: null },
    ],
  });
  const text = await metrics.text();
  expect(text).toContain('forgelog_projection_halted{projection="p"} 1\n');
  expect(text).toContain('forgelog_policy_failed_attempts{policy="a"} 4\n');
  expect(text).toContain('forgelog_policy_failed_attempts{policy="b"} 0\n');
  expect(text).toContain('forgelog_policy_lag_seconds{policy="a"} 40\n');
});
