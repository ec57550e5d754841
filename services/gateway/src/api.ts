import type { AnyEndpoint, Tier } from '@forgelog/contracts/endpoint.ts';
import { type ErrorCode, Rejection } from '@forgelog/contracts/errors.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import { sendOptions } from '@forgelog/service-kit/allowed-methods.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Request } from 'express';
import type { RefusalReason } from './access-log/access-log.ts';
import { forgetIfOpen, type GatewayHandler, type GatewayResponse } from './application.ts';
import { type Authentication, BlockedUser, UnknownToken } from './authentication.ts';
import { byBasicToken } from './basic-token.ts';
import { type AskedOfApi, askedAtProjectPage } from './project-page-address.ts';
import type { RequestRecord } from './request-record.ts';
import { createRouter, type Routed } from './router.ts';
import type { SignIns } from './sign-ins.ts';
import type { Throttles } from './throttles/throttles.ts';
import { avatarPath, uploadPath } from './upload-address.ts';

export interface ApiPorts {
  endpoints: readonly AnyEndpoint[];
  edition: Tier;
  authentication: Authentication;
  throttles: Throttles;
  signIns: SignIns;
  dispatch: (exchange: Exchange) => void | Promise<void>;
  /** Resolves once the gateway's own read models include every event logged before the request arrived. */
  barrier: () => Position | Promise<Position>;
}

export const API = '/api/v4';
export const isApi = (path: string): boolean => path.startsWith(API) && (path[API.length] ?? '/') === '/';
/** What a request asks of the API, undefined if it is not for it. Pages of projects are only read. */
function askedOf(method: string, path: string): AskedOfApi | undefined {
  if (isApi(path)) return { path: path.slice(API.length) || '/' };
  const upload = uploadPath(path) ?? avatarPath(path);
  if (upload !== undefined) return { path: upload };
  return method === 'GET' || method === 'HEAD' ? askedAtProjectPage(path) : undefined;
}

const BEARER = { 'WWW-Authenticate': 'Bearer realm="Forgelog", error="invalid_token"' };
const NOTHING_FOUND = { endpoint: undefined, params: undefined };

/** Why the access log has a sign-in as refused, by the code of the refusal. */
const REFUSALS: Partial<Record<ErrorCode, RefusalReason>> = {
  unauthorized: 'unknown_token',
  forbidden: 'blocked_user',
  sudo_needs_admin: 'sudo',
  sudo_user_not_found: 'sudo',
  insufficient_scope: 'sudo',
};

/** Authenticates the caller, routes the request and dispatches it to the service that answers. */
export function serveApi(ports: ApiPorts): GatewayHandler {
  const route = createRouter(ports.endpoints, ports.edition);

  function serve(
    request: Request,
    response: GatewayResponse,
    { path: asked, params }: AskedOfApi,
  ): void | Promise<void> {
    const { record } = response.locals;
    const { path, search, requestId, clientAddress, userAgent, traceparent } = record;
    // A preflight request carries no credentials, and the methods are public.
    if (request.method === 'OPTIONS') {
      const routed = route('OPTIONS', asked);
      if (routed.kind === 'method-not-allowed') return sendOptions(response, routed.allow, requestId);
    }
    const found = route(request.method, asked);
    const { method } = request;
    const kind = isApi(path) ? 'api' : 'web';
    const { endpoint: wanted, params: inPath } = found.kind === 'endpoint' ? found : NOTHING_FOUND;
    const pathParams = params ? { ...inPath, ...params } : (inPath ?? {});
    const admit = (principal: Principal | null) =>
      ports.throttles.admit(kind, { method, record, principal, endpoint: wanted, pathParams });
    const authenticated = () => authenticate(request, record, found);
    // Refused credentials get to no endpoint, and take nothing of its own limit.
    const admitRefused = () => ports.throttles.admit(kind, { method, record, principal: null });
    return chain(ports.barrier(), (position) =>
      chain(counted(authenticated, admitRefused), (principal) => {
        record.principal = principal;
        const used = principal ? ports.signIns.used(principal, record) : undefined;
        const admitted = used instanceof Promise ? used.then(() => admit(principal)) : admit(principal);
        return chain(admitted, () => {
          const endpoint = routed(found);
          record.endpoint = endpoint;
          record.pathParams = pathParams;
          requireOpenToTokens(endpoint, principal);
          const origin = { requestId, clientAddress, userAgent, traceparent };
          const exchange = {
            request,
            response,
            endpoint,
            pathParams,
            path,
            search,
            principal,
            position,
            origin,
          };
          const sent = ports.dispatch(exchange);
          return sent instanceof Promise ? sent.then(() => forgetIfOpen(request, response)) : sent;
        });
      }),
    );
  }

  function authenticate(
    request: Request,
    record: RequestRecord,
    routed: Routed,
  ): Principal | null | Promise<Principal | null> {
    const refused = (error: unknown): never | Promise<never> => {
      if (error instanceof UnknownToken) {
        const counted = ports.signIns.wrongToken(error.digest, record);
        const answer = error.isOauth ? new Rejection('invalid_token', undefined, BEARER) : error;
        if (counted instanceof Promise) return counted.then(() => Promise.reject(answer));
        throw answer;
      }
      const reason = error instanceof Rejection && REFUSALS[error.code as ErrorCode];
      const account = error instanceof BlockedUser ? error.userId : undefined;
      if (reason) ports.signIns.refused(reason, record, account);
      throw error;
    };
    try {
      const endpoint = routed.kind === 'endpoint' ? routed.endpoint : undefined;
      const readsJobToken = endpoint?.access.kind !== 'job';
      const presented = ports.authentication.authenticate(request, record.search, readsJobToken);
      const found =
        presented === null && endpoint?.basic ? byBasicToken(ports.authentication, request) : presented;
      return found instanceof Promise ? found.catch(refused) : found;
    } catch (error) {
      return refused(error);
    }
  }

  function routed(found: Routed): AnyEndpoint {
    if (found.kind === 'unknown') throw new Rejection('unknown_route');
    if (found.kind === 'method-not-allowed')
      throw new Rejection('method_not_allowed', undefined, { Allow: found.allow });
    return found.endpoint;
  }

  return (request, response, next) => {
    const asked = askedOf(request.method, response.locals.record.path);
    return asked === undefined ? next() : serve(request, response, asked);
  };
}

/** @throws Rejection 403 where a token of a job is not enough, whoever its user is, or a deploy token */
function requireOpenToTokens({ jobToken, deployToken }: AnyEndpoint, principal: Principal | null): void {
  if (principal?.credential.kind === 'job_token' && !jobToken)
    throw new Rejection('forbidden', { reason: 'The token of a job does not open this' });
  if (principal?.deployToken && deployToken.length === 0)
    throw new Rejection('forbidden', { reason: 'A deploy token does not open this' });
}

/** A call with credentials that are refused counts as one without any. */
function counted(
  authenticate: () => Principal | null | Promise<Principal | null>,
  admit: () => void | Promise<void>,
): Principal | null | Promise<Principal | null> {
  const refused = (error: unknown): Promise<never> =>
    Promise.resolve(admit()).then(() => {
      throw error;
    });
  try {
    const found = authenticate();
    return found instanceof Promise ? found.catch(refused) : found;
  } catch (error) {
    return refused(error);
  }
}

/** Continues synchronously where the value is known: a promise would slow down small answers. */
function chain<T, R>(value: T | Promise<T>, goOn: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
