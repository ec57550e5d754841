import { withDeadline } from '@forgelog/eventing/deadline.ts';
import type { Meter, TracerProvider } from '@opentelemetry/api';
import type { Logger } from '../log.ts';
import type { ExportedSignals } from './exporters.ts';
import { NOT_SENT } from './log-export.ts';
import { parseTraceparent, type Span, type SpanOptions, type Tracer } from './tracing.ts';

/** The drain of connections plus this stays below the limit of a stop. */
const LONGEST_CLOSE_MS = 1000;

export interface OpenTelemetry {
  tracer: Tracer | undefined;
  meter: Meter | undefined;
  /** Flushes for one second at most. */
  close(): Promise<void>;
}

/**
 * OpenTelemetry's SDK for Node, configured by `OTEL_*`. Automatic instrumentation is off; signals come through the
 * ports. Loaded only for an export: it costs a start one second and 33 MB.
 */
export async function openOpenTelemetry(options: {
  signals: ExportedSignals;
  /** Used where OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES set no name. */
  serviceName: string;
  revision: string;
  log: Logger;
}): Promise<OpenTelemetry> {
  const { signals, log } = options;
  const [api, { NodeSDK }, { defaultResource, resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/resources'),
  ]);
  const resource = resourceFromAttributes({
    'service.name': options.serviceName,
    'service.version': options.revision,
  });
  const sdk = new NodeSDK({
    resource: defaultResource().merge(resource),
    ...(signals.traces ? {} : { spanProcessors: [] }),
    ...(signals.metrics ? {} : { metricReaders: [] }),
    ...(signals.logs ? {} : { logRecordProcessors: [] }),
  });
  const report = (level: 'error' | 'warn' | 'info' | 'debug') => (message: string) =>
    log[level]({ detail: message }, NOT_SENT);
  api.diag.setLogger(
    {
      error: report('error'),
      warn: report('warn'),
      info: report('info'),
      debug: report('debug'),
      verbose() {},
    },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  // The SDK registers its providers globally. Tests start several services in one process, each with its own.
  for (const each of [api.trace, api.metrics, api.logs, api.context, api.propagation]) each.disable();
  sdk.start();
  const provider = api.trace.getTracerProvider();
  const tracers =
    'getDelegate' in provider ? (provider as { getDelegate(): typeof provider }).getDelegate() : provider;
  return {
    tracer: signals.traces ? tracerOf(api, tracers) : undefined,
    meter: signals.metrics ? api.metrics.getMeter('forgelog') : undefined,
    close: () =>
      withDeadline(
        sdk.shutdown(),
        LONGEST_CLOSE_MS,
        () => new Error('the collector did not accept the last data in time'),
      ).catch((error: Error) => report('error')(error.message)),
  };
}

type Api = typeof import('@opentelemetry/api');

function tracerOf(api: Api, provider: TracerProvider): Tracer {
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

  return { start };
}
