import type { DispatcherPorts } from './dispatcher.ts';
import type { Logger } from './log.ts';
import { traceIdOf } from './telemetry/tracing.ts';

/** Writes what a dispatcher could not answer into the log, with the request and the trace that it belongs to. */
export const logFailure =
  (log: Logger): DispatcherPorts['onError'] =>
  (error, { origin: { requestId, traceparent }, endpoint }) =>
    log.error(
      { err: error, requestId, traceId: traceIdOf(traceparent), endpoint: endpoint.id },
      'request failed',
    );
