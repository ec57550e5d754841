import type { IncomingMessage, RequestListener } from 'node:http';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { allowOf, METHODS, sendOptions } from '@forgelog/service-kit/allowed-methods.ts';
import { logRefusal } from '@forgelog/service-kit/failure-log.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { type Refusal, sendError } from '@forgelog/service-kit/send.ts';
import type { Telemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import { traceIdOf } from '@forgelog/service-kit/telemetry/tracing.ts';
import { unavailability } from '@forgelog/service-kit/unavailable.ts';
import type { Express } from 'express';
import type { AccessLog } from './access-log/access-log.ts';
import { type ApiPorts, serveApi } from './api.ts';
import { type GatewayHandler, type GatewayResponse, listenerOf } from './application.ts';
import { createBusiestMeter } from './busiest/busiest-metrics.ts';
import type { ClientAddressOf } from './client-address.ts';
import { crossOrigin } from './cross-origin.ts';
import { docsPage } from './docs-page.ts';
import { jobPage } from './job-page/job-page.ts';
import { pageLook } from './page-look.ts';
import { withSingleSlashes } from './request-address.ts';
import { createRequestRecorder } from './request-record.ts';
import { startPage } from './start-page.ts';
import { Throttled } from './throttles/throttles.ts';

export interface GatewayPorts extends ApiPorts {
  app: Express;
  /** Serves health and metrics. Returns true if it took the request. */
  pages: (request: IncomingMessage, response: GatewayResponse, path: string) => boolean;
  git: GatewayHandler;
  oauth: GatewayHandler;
  clientAddressOf: ClientAddressOf;
  log: Logger;
  telemetry: Telemetry;
  accessLog: AccessLog;
  directory: Directory;
  /** In milliseconds. */
  now: () => number;
}

/** The `Allow` value for `OPTIONS *`, which asks about the server as a whole. */
const ANYWHERE = allowOf(METHODS);
/** The longest request target that is accepted, in characters. */
const MAX_URL = 65_536;

/** Identifies each request and passes it to the API, to git over HTTP or to a page. */
export function createGateway(ports: GatewayPorts): RequestListener {
  const { app, log } = ports;
  const countBusiest = createBusiestMeter({ ...ports, metrics: ports.telemetry.metrics });
  const record = createRequestRecorder({
    ...ports,
    answered(request, status) {
      ports.accessLog.answered(request, status);
      countBusiest(request, status);
    },
  });

  // Middleware for Express goes here, a line each: app.use(helmet()).
  // The API is mounted at the root: Express rewrites each address for a handler below a path.
  app.use(crossOrigin);
  app.use(serveApi(ports));
  app.use((_request, response: GatewayResponse, next) => {
    response.setHeader('X-Request-Id', response.locals.record.requestId);
    next();
  });
  app.use((request, response: GatewayResponse, next) => {
    if (!ports.pages(request, response, response.locals.record.path)) next();
  });
  app.use(ports.git);
  app.use((request, response: GatewayResponse, next) => {
    const admitted = ports.throttles.admit('web', {
      ...{ method: request.method, record: response.locals.record, principal: null },
    });
    if (admitted instanceof Promise) admitted.then(() => next(), next);
    else next();
  });
  app.use(ports.oauth);
  const look = pageLook(ports.directory);
  app.use('/-/docs', docsPage(look));
  app.use(startPage(look));
  app.use(jobPage(look));

  function refuse(error: unknown, request: IncomingMessage, response: GatewayResponse): void {
    const { requestId, traceparent } = response.locals.record;
    const refusal =
      error instanceof Rejection || error instanceof Throttled ? error : refusalOfMiddleware(error);
    const asked = { requestId, traceId: traceIdOf(traceparent) };
    if (error instanceof Rejection) logRefusal(log, error, asked);
    else if (!refusal) log.error({ err: error, ...asked }, 'request failed in the gateway');
    sendError(request, response, requestId, refusal ?? unavailability(error) ?? new Rejection('internal'));
  }

  const handle = listenerOf(app, (error, request, response) =>
    refuse(error ?? new Rejection('unknown_route'), request, response as GatewayResponse),
  );

  return (request, answer) => {
    const response = answer as GatewayResponse;
    const url = withSingleSlashes(request.url!);
    request.url = url;
    response.locals = { record: record(request, response) };
    // A GET or HEAD body is never read: answer at once and close the connection instead of draining it.
    if ((request.method === 'GET' || request.method === 'HEAD') && announcesBody(request))
      response.setHeader('Connection', 'close');
    if (url.length > MAX_URL) return refuse(new Rejection('address_too_long'), request, response);
    if (url === '*' && request.method === 'OPTIONS')
      return sendOptions(response, ANYWHERE, response.locals.record.requestId);
    // Express would accept an absolute URL of another host as one of ours.
    if (!url.startsWith('/')) return refuse(new Rejection('unknown_route'), request, response);
    handle(request, response);
  };
}

/** Recognises an error in the form of `http-errors` whose message is meant for the caller. */
function refusalOfMiddleware(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, expose, headers, message } = error as Error & Partial<Refusal> & { expose?: unknown };
  if (expose !== true || status === undefined || !(status >= 400 && status <= 499)) return undefined;
  return { status, body: { error: message }, ...(headers && { headers }) };
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
