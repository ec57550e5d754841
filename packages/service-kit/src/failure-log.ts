import { Rejection } from '@forgelog/contracts/errors.ts';
import type { DispatcherPorts } from './dispatcher.ts';
import type { Logger } from './log.ts';
import { traceIdOf } from './telemetry/tracing.ts';

export const logFailure =
  (log: Logger): DispatcherPorts['onError'] =>
  (error, { origin: { requestId, traceparent }, endpoint }) => {
    const request = { requestId, traceId: traceIdOf(traceparent), endpoint: endpoint.id };
    if (error instanceof Rejection) logRefusal(log, error, request);
    else log.error({ err: error, ...request }, 'request failed');
  };

/** Tells why a request was refused that nobody could answer now: the caller's own mistakes are no news to an operator. */
export function logRefusal(log: Logger, rejection: Rejection, request: object): void {
  if (rejection.status !== 503) return;
  const { reason } = rejection.details as { reason?: string };
  log.warn(
    { ...request, reason, ...(rejection.cause !== undefined && { err: rejection.cause }) },
    'refused for now',
  );
}
