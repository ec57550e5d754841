import type { Logger } from '../log.ts';
import { type ExporterSettings, exportedSignals } from './exporters.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import type { Tracer } from './tracing.ts';

/** What a process tells of itself, beside its log. */
export interface Telemetry {
  metrics: Metrics;
  /** undefined where tracing is off. */
  tracer?: Tracer | undefined;
  /** Sends what is left, for one second at most. */
  close?(): Promise<void>;
}

/** Metrics for the page always; OpenTelemetry's SDK where the configuration names what to export. */
export async function openTelemetry(options: {
  configuration: ExporterSettings;
  /** Name of this process: `forgelog`, or `forgelog-<service>`. */
  serviceName: string;
  revision: string;
  log: Logger;
}): Promise<Telemetry> {
  const signals = exportedSignals(options.configuration);
  if (!signals.traces && !signals.metrics && !signals.logs) {
    const metrics = createMetrics();
    addProcessMetrics(metrics, options.revision);
    return { metrics };
  }
  const { openOpenTelemetry } = await import('./opentelemetry.ts');
  const { tracer, meter, close } = await openOpenTelemetry({ ...options, signals });
  const metrics = createMetrics({ meter });
  addProcessMetrics(metrics, options.revision);
  return { metrics, tracer, close };
}
