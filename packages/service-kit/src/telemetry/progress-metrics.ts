import type { Projectors } from '@forgelog/eventing/projector.ts';
import type { Metrics } from './metrics.ts';

export function addProgressMetrics(
  metrics: Metrics,
  { progress, position }: Pick<Projectors, 'progress' | 'position'>,
): void {
  metrics.countedElsewhere(
    {
      name: 'forgelog_events_applied_total',
      help: 'Events that the read models of this process have applied since its start.',
    },
    () => [[[], progress()?.events ?? 0]],
  );
  metrics.gauge(
    {
      name: 'forgelog_replaying',
      help: 'Whether the process still reads the part of the log that was there when it started.',
    },
    () => {
      const now = progress();
      return [[[], now && position() >= now.head ? 0 : 1]];
    },
  );
}
