import type { Logger } from '../log.ts';
import { parseTraceparent, type Span, type SpanOptions, type Tracer } from './tracing.ts';

/** With the time in which connections are drained, less than a stop may take. */
const LONGEST_CLOSE_MS = 1000;

/**
 * Sends spans with OpenTelemetry's own SDK, in batches, as OTLP over HTTP to `<endpoint>/v1/traces`. The SDK's
 * environment variables count (OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS, OTEL_BSP_*, OTEL_RESOURCE_ATTRIBUTES).
 * It is loaded here and nowhere else, because it costs a start 0.2 s and 20 MB.
 */
export async function openOtlpTracer(options: {
  endpoint: string;
  /** `service.name` of the spans. */
  serviceName: string;
  revision: string;
  log: Logger;
}): Promise<Tracer> {
  const [api, sdk, { OTLPTraceExporter }, { detectResources, envDetector, resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const report = (level: 'error' | 'warn') => (message: string) =>
    options.log[level]({ detail: message }, 'spans not sent');
  const quiet = () => {};
  api.diag.setLogger(
    { error: report('error'), warn: report('warn'), info: quiet, debug: quiet, verbose: quiet },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const own = resourceFromAttributes({
    'service.name': options.serviceName,
    'service.version': options.revision,
  });
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const provider = new sdk.BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    producer: api.SpanKind.PRODUCER,
    consumer: api.SpanKind.CONSUMER,
    internal: api.SpanKind.INTERNAL,
  };

  function contextOf(parent: string | undefined) {
    const parsed = parseTraceparent(parent);
    if (!parsed) return api.ROOT_CONTEXT;
    const { traceId, spanId, flags } = parsed;
    return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
  }

  function start(name: string, { component, kind = 'internal', parent, attributes }: SpanOptions): Span {
    const span = provider
      .getTracer(component)
      .startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent));
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      name: (given) => void span.updateName(given),
      set: (given) => void span.setAttributes(given),
      fail(error) {
        const { name: type, message } = error instanceof Error ? error : new Error(String(error));
        span.recordException({ name: type, message });
        span.setStatus({ code: api.SpanStatusCode.ERROR, message });
      },
      end: () => span.end(),
    };
  }

  return {
    start,
    async close() {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(
        reject,
        LONGEST_CLOSE_MS,
        new Error('the collector did not take the last spans'),
      );
      await Promise.race([provider.shutdown(), late]).catch((error: Error) => report('error')(error.message));
      clearTimeout(timer);
    },
  };
}
