import type { DispatcherPorts } from './dispatcher.ts';
import type { Logger } from './log.ts';
import { traceIdOf } from './telemetry/tracing.ts';

export const logFailure =
  (log: Logger): DispatcherPorts['onError'] =>
  (error, { origin: { requestId, traceparent }, endpoint }) =>
    log.error(
      { err: error, requestId, traceId: traceIdOf(traceparent), endpoint: endpoint.id },
      'request failed',
    );
