import { getHeapStatistics } from 'node:v8';
import type { Metrics, Readings } from './metrics.ts';

export function addProcessMetrics(metrics: Metrics, revision: string): void {
  const one = (value: number): Readings => [[[], value]];
  metrics.processDefaults();
  metrics.gauge(
    {
      name: 'forgelog_build_info',
      help: 'Always 1; the revision that runs and its Node.',
      labels: ['revision', 'node'],
    },
    () => [[[revision, process.versions.node], 1]],
  );
  metrics.gauge(
    { name: 'nodejs_heap_size_limit_bytes', help: 'Heap beyond which Node ends the process.' },
    () => one(getHeapStatistics().heap_size_limit),
  );
  metrics.countedElsewhere(
    {
      name: 'nodejs_eventloop_busy_seconds_total',
      help: 'Time in which the event loop ran code; its rate is the share of time in which it was busy.',
    },
    () => one(performance.eventLoopUtilization().active / 1000),
  );
}
