import type { Metrics, Readings } from './metrics.ts';

/** Processor time, memory and event loop of this process: all of them kept by Node anyway. */
export function addProcessMetrics(metrics: Metrics, revision: string): void {
  const one = (value: number): Readings => [[[], value]];
  const startTime = (Date.now() - performance.now()) / 1000;
  metrics.gauge(
    {
      name: 'forgelog_build_info',
      help: 'Always 1; the revision that runs and its Node.',
      labels: ['revision', 'node'],
    },
    () => [[[revision, process.versions.node], 1]],
  );
  metrics.gauge(
    { name: 'process_start_time_seconds', help: 'When the process started, in seconds since 1970.' },
    () => one(startTime),
  );
  metrics.gauge({ name: 'process_resident_memory_bytes', help: 'Memory that the process occupies.' }, () =>
    one(process.memoryUsage.rss()),
  );
  metrics.countedElsewhere(
    { name: 'process_cpu_seconds_total', help: 'Processor time that the process used.' },
    () => {
      const { user, system } = process.cpuUsage();
      return one((user + system) / 1e6);
    },
  );
  metrics.countedElsewhere(
    {
      name: 'nodejs_eventloop_busy_seconds_total',
      help: 'Time in which the event loop ran code; its rate is the share of time in which it was busy.',
    },
    () => one(performance.eventLoopUtilization().active / 1000),
  );
}
