import type { AnyEndpoint, Tier } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import { sendOptions } from '@forgelog/service-kit/allowed-methods.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import type { Request } from 'express';
import type { GatewayHandler, GatewayResponse } from './application.ts';
import type { ArchiveLimit } from './archive-limit.ts';
import type { Authentication } from './authentication.ts';
import { createRouter } from './router.ts';

export interface ApiPorts {
  endpoints: readonly AnyEndpoint[];
  edition: Tier;
  authentication: Authentication;
  archiveLimit: ArchiveLimit;
  dispatch: (exchange: Exchange) => void | Promise<void>;
  /** Resolves when the gateway's own read models are not older than the request, with the log's end at its arrival. */
  barrier: () => Position | Promise<Position>;
}

export const API = '/api/v4';
export const isApi = (path: string): boolean => path.startsWith(API) && (path[API.length] ?? '/') === '/';

/** Finds out who calls and what is asked for, and hands the request to the service that answers. */
export function serveApi(ports: ApiPorts): GatewayHandler {
  const route = createRouter(ports.endpoints, ports.edition);

  async function serve(request: Request, response: GatewayResponse): Promise<void> {
    const { record } = response.locals;
    const { path, search, requestId, traceparent } = record;
    const asked = path.slice(API.length) || '/';
    // What can be done is no secret, and browsers ask without credentials.
    if (request.method === 'OPTIONS') {
      const routed = route('OPTIONS', asked);
      if (routed.kind === 'method-not-allowed') return sendOptions(response, routed.allow, requestId);
    }
    // Nothing is awaited that is at hand: nearly always all of it is.
    const reached = ports.barrier();
    const position = typeof reached === 'string' ? reached : await reached;
    const caller = ports.authentication.authenticate(request, search);
    const principal = caller instanceof Promise ? await caller : caller;
    record.user = principal?.userId;
    const routed = route(request.method, asked);
    if (routed.kind === 'unknown') throw new Rejection('unknown_route');
    if (routed.kind === 'method-not-allowed')
      throw new Rejection('method_not_allowed', undefined, { Allow: routed.allow });
    const { endpoint, params: pathParams } = routed;
    record.endpoint = endpoint;
    const limited = ports.archiveLimit.check(endpoint, principal, request);
    if (limited) await limited;
    const clientAddress = request.socket.remoteAddress ?? null;
    const origin = { requestId, clientAddress, traceparent };
    const served = ports.dispatch({
      ...{ request, response, endpoint, pathParams, path, search },
      ...{ principal, position, origin },
    });
    if (served) await served;
  }

  return (request, response, next) =>
    isApi(response.locals.record.path) ? serve(request, response) : next();
}
