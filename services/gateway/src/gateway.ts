import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AnyEndpoint, Tier } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { sendError } from '@forgelog/service-kit/send.ts';
import type { Telemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import { traceIdOf } from '@forgelog/service-kit/telemetry/tracing.ts';
import { unavailability } from '@forgelog/service-kit/unavailable.ts';
import type { ArchiveLimit } from './archive-limit.ts';
import type { Authentication } from './authentication.ts';
import { createRequestRecorder, type RequestRecord } from './request-record.ts';
import { createRouter } from './router.ts';

export interface GatewayPorts {
  endpoints: readonly AnyEndpoint[];
  edition: Tier;
  authentication: Authentication;
  archiveLimit: ArchiveLimit;
  dispatch: (exchange: Exchange) => void | Promise<void>;
  /** Resolves when the gateway's own read models are not older than the request, with the log's end at its arrival. */
  barrier: () => Position | Promise<Position>;
  /** What is served beside the API: health, documentation, git. True when it took the request. */
  beside: readonly ((
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    requestId: string,
    record: RequestRecord,
  ) => boolean)[];
  log: Logger;
  telemetry: Telemetry;
}

const API = '/api/v4';
const NO_QUERY = new URLSearchParams();
/** A query in which a credential or a sudo may be, in whatever spelling. */
const MAY_NAME_CALLER = /token|sudo|%/;
/** A request line with its parameters; longer ones are no honest request. */
const MAX_URL = 65_536;
const TOO_LONG = { status: 414, body: { error: 'The request address is too long' } };

/** The one door: identifies each request, finds out who calls and what is asked for, and hands it on. */
export function createGateway(ports: GatewayPorts): RequestListener {
  const route = createRouter(ports.endpoints, ports.edition);
  const recorder = createRequestRecorder(ports);

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    record: RequestRecord,
  ): Promise<void> {
    try {
      // Nobody reads the body of a read: whoever sends one has his answer, and no connection that waits for the rest.
      if ((request.method === 'GET' || request.method === 'HEAD') && announcesBody(request))
        response.setHeader('Connection', 'close');
      const url = request.url!;
      const at = url.indexOf('?');
      const path = at < 0 ? url : url.slice(0, at);
      if (url.length > MAX_URL) return sendError(request, response, requestId, TOO_LONG);
      if (path === API || path.startsWith(`${API}/`))
        return await serveApi(request, response, path, at < 0 ? '' : url.slice(at + 1), requestId, record);
      response.setHeader('X-Request-Id', requestId);
      if (ports.beside.some((takes) => takes(request, response, path, requestId, record))) return;
      throw new Rejection('unknown_route');
    } catch (error) {
      if (error instanceof Rejection) return sendError(request, response, requestId, error);
      const traceId = traceIdOf(record.traceparent);
      ports.log.error({ err: error, requestId, traceId }, 'request failed in the gateway');
      sendError(request, response, requestId, unavailability(error) ?? new Rejection('internal'));
    }
  }

  async function serveApi(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    search: string,
    requestId: string,
    record: RequestRecord,
  ): Promise<void> {
    // Nothing is awaited that is at hand: nearly always all of it is.
    const reached = ports.barrier();
    const position = typeof reached === 'string' ? reached : await reached;
    const query = MAY_NAME_CALLER.test(search) ? new URLSearchParams(search) : NO_QUERY;
    const caller = ports.authentication.authenticate(request, query);
    const principal = caller instanceof Promise ? await caller : caller;
    record.user = principal?.userId;
    const routed = route(request.method ?? 'GET', path.slice(API.length) || '/');
    if (routed.kind === 'unknown') throw new Rejection('unknown_route');
    if (routed.kind === 'method-not-allowed') throw new Rejection('method_not_allowed');
    const { endpoint, params } = routed;
    record.endpoint = endpoint;
    ports.archiveLimit.check(endpoint, principal, request);
    await ports.dispatch({
      request,
      response,
      endpoint,
      pathParams: params,
      path,
      search,
      principal,
      position,
      origin: {
        requestId,
        clientAddress: request.socket.remoteAddress ?? null,
        traceparent: record.traceparent,
      },
    });
  }

  return (request, response) => {
    const requestId = requestIdOf(request);
    void serve(request, response, requestId, recorder(request, response, requestId));
  };
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A caller's own id is kept where it is harmless, so that his logs and ours meet. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
}
