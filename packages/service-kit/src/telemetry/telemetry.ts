import type { Configuration } from '../configuration.ts';
import type { Logger } from '../log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import type { Tracer } from './tracing.ts';

/** What a process tells of itself, beside its log. */
export interface Telemetry {
  metrics: Metrics;
  /** undefined where tracing is off. */
  tracer?: Tracer | undefined;
}

/** Metrics always; traces where the configuration names where to send them. */
export async function openTelemetry(options: {
  configuration: Pick<Configuration, 'OTEL_EXPORTER_OTLP_ENDPOINT'>;
  /** Name of this process in traces: `forgelog`, or `forgelog-<service>`. */
  serviceName: string;
  revision: string;
  log: Logger;
}): Promise<Telemetry> {
  const metrics = createMetrics();
  addProcessMetrics(metrics, options.revision);
  const endpoint = options.configuration.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return { metrics };
  const { openOtlpTracer } = await import('./otlp-tracer.ts');
  return { metrics, tracer: await openOtlpTracer({ ...options, endpoint }) };
}
