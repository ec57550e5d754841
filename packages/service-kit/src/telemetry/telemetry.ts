import type { Logger } from '../log.ts';
import { type ExporterSettings, exportedSignals } from './exporters.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import type { Tracer } from './tracing.ts';

export interface Telemetry {
  metrics: Metrics;
  tracer?: Tracer | undefined;
  close?(): Promise<void>;
}

export async function openTelemetry(options: {
  configuration: ExporterSettings;
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
