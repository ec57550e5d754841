import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { AnyEndpoint, Method } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { decodeParams, type RawRecord, Repeated } from '@forgelog/contracts/params.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import { AppendTooLargeError } from '@forgelog/eventing/event-store.ts';
import type { Authorizer } from './access.ts';
import { allowOf } from './allowed-methods.ts';
import { AnswerCache, type CacheLookup, isCacheable } from './answer-cache.ts';
import { ApiRequest } from './api-request.ts';
import { authorize } from './authorize.ts';
import type { RequestBodies } from './bodies/request-bodies.ts';
import type { Cursors } from './cursor.ts';
import type { PlaceholderResolver } from './json-template.ts';
import { NO_PAGE, nextParameter, requestedPage } from './list-request.ts';
import { checkRules } from './param-rules.ts';
import { callerKey, type Origin, type Principal } from './principal.ts';
import { CALLER_PARAMETERS, emptyRecord, parsePairs } from './raw-parameters.ts';
import { readBody } from './request-body.ts';
import { sendAnswer, sendCached, sendError } from './send.ts';
import type { Implementation, Service } from './service.ts';
import type { Span, Tracer } from './telemetry/tracing.ts';
import { unavailability } from './unavailable.ts';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  endpoint: AnyEndpoint;
  pathParams: Readonly<Record<string, string | undefined>>;
  path: string;
  search: string;
  principal: Principal | null;
  /** The end of the log when the request arrived; the read models reflect it. */
  position: Position;
  origin: Origin;
}

export interface DispatcherPorts {
  services: readonly Service[];
  authorizer: Authorizer;
  resolver: PlaceholderResolver;
  bodies: RequestBodies;
  /**
   * Waits for the end of the log (ADR 12: rights are never stale). Left out behind a gateway that has waited already.
   */
  barrier?(): Promise<void>;
  externalUrl: string;
  cursors: Cursors;
  clock: () => Date;
  /** Told of errors that are no refusals, and of refusals because something is unavailable. */
  onError(error: unknown, exchange: Exchange): void;
  observe?: (endpoint: AnyEndpoint, status: number, body: string | null) => void;
  tracer?: Tracer | undefined;
}

const NO_PARAMETERS: readonly [string, unknown][] = [];
const MISPLACED_SUDO = 'sudo belongs in the query or in the Sudo header';

/** Never rejects: refusals are sent as rows of the error table. */
export function createDispatcher(ports: DispatcherPorts): (exchange: Exchange) => void | Promise<void> {
  const handlers = new Map<string, Implementation>();
  const methods = new Map<string, Set<Method>>();
  const cacheable = new Set<AnyEndpoint>();
  const answers = new AnswerCache(ports.clock);
  for (const service of ports.services) {
    for (const implementation of service.implementations) {
      const { endpoint } = implementation;
      handlers.set(endpoint.id, implementation);
      methods.set(shapeOf(endpoint), (methods.get(shapeOf(endpoint)) ?? new Set()).add(endpoint.method));
      if (service.answersFromReadModels && isCacheable(endpoint)) cacheable.add(endpoint);
    }
  }
  const allowed = (endpoint: AnyEndpoint) => allowOf(methods.get(shapeOf(endpoint))!);
  const lookUp = (exchange: Exchange) =>
    cacheable.has(exchange.endpoint) ? answers.lookup(exchange) : undefined;

  async function serve(received: Exchange, store: CacheLookup['store'] | undefined): Promise<void> {
    const span = startSpan(received, ports.tracer);
    // Events of the request belong to the service's span.
    const exchange = span
      ? { ...received, origin: { ...received.origin, traceparent: span.traceparent } }
      : received;
    const { request, response, endpoint } = exchange;
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    let begun = false;
    let releaseBody = () => {};
    try {
      const grant = authorize(exchange, ports.authorizer);
      const granted = grant instanceof Promise ? await grant : grant;
      const raw = emptyRecord();
      parsePairs(exchange.search, raw);
      const parameters = exchange.search === '' ? NO_PARAMETERS : Object.entries(raw);
      const { sudo } = raw;
      const signal = clientDisconnectSignal(response);
      if (writes && endpoint.bodyTypes.length === 0) {
        const limit = endpoint.maxBody;
        const caller = callerOf(exchange);
        const receive = async (unpacked: Readable) => {
          const { bytes, release } = await ports.bodies.receive(unpacked, { limit, caller, signal });
          releaseBody = release;
          return bytes;
        };
        await readBody(request, { limit, into: raw, receive });
      }
      // The caller is determined before the body is read, so `sudo` in a body would be silently ignored.
      if (raw.sudo !== sudo) throw new Rejection('invalid_parameters', { problems: [MISPLACED_SUDO] });
      const { params, page } = decode(exchange, raw, ports.cursors);
      begun = writes;
      const answer = await handlers.get(endpoint.id)!.handle(
        new ApiRequest({
          endpoint,
          params,
          given: raw,
          page,
          principal: exchange.principal,
          origin: exchange.origin,
          signal,
          body: request,
          ...granted,
        }),
      );
      await sendAnswer(answer, {
        request,
        response,
        endpoint,
        page,
        origin: exchange.origin,
        resolver: ports.resolver,
        address: ports.externalUrl + exchange.path,
        parameters: parameters.flatMap(([name, value]) => flatten(name, value)),
        cursorOf: (position) => nextParameter(exchange, params, position, ports.cursors),
        observe: ports.observe,
        store,
      });
    } catch (error) {
      if (!(error instanceof Rejection)) span?.fail(error);
      refuse(error, exchange, { ...ports, allowed }, begun);
    } finally {
      releaseBody();
      span?.end();
    }
  }

  function answer(exchange: Exchange): void | Promise<void> {
    const cached = lookUp(exchange);
    if (!cached?.hit) return serve(exchange, cached?.store);
    const span = startSpan(exchange, ports.tracer);
    sendCached(cached.hit, exchange, ports.observe);
    span?.end();
  }

  const { barrier } = ports;
  if (!barrier) return answer;
  return async (exchange) => {
    try {
      await barrier();
    } catch (error) {
      return refuse(error, exchange, { ...ports, allowed }, false);
    }
    return answer(exchange);
  };
}

const callerOf = ({ principal, origin }: Exchange): string =>
  principal ? `user ${callerKey(principal)}` : `address ${origin.clientAddress}`;

function startSpan({ endpoint, origin }: Exchange, tracer: Tracer | undefined): Span | undefined {
  return tracer?.start(`${endpoint.service} ${endpoint.id}`, {
    component: endpoint.service,
    parent: origin.traceparent,
  });
}

function decode(exchange: Exchange, raw: RawRecord, cursors: Cursors) {
  const { endpoint, pathParams } = exchange;
  const problems: string[] = [];
  if (endpoint.strictParams) {
    const known = new Set([...Object.keys(endpoint.params), ...CALLER_PARAMETERS]);
    for (const name in raw) if (!known.has(name)) problems.push(`${shown(name)} is not understood`);
  }
  for (const name in pathParams) raw[name] = pathParams[name] ?? '';
  const params = decodeParams(endpoint.params, raw, problems) as Record<string, unknown>;
  const page = endpoint.pagination === 'none' ? NO_PAGE : requestedPage(exchange, raw, problems, cursors);
  if (problems.length === 0) checkRules(endpoint.rules, params, problems);
  if (problems.length > 0) throw new Rejection('invalid_parameters', { problems });
  return { params, page };
}

const LONGEST_SHOWN = 64;
const shown = (name: string) => (name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name);

function flatten(name: string, value: unknown): [string, string][] {
  if (value instanceof Repeated) {
    // Keep the last of equal values: clients that append to the link would make it grow with each page.
    const last = [...new Set(Array.from(value).reverse())].reverse();
    return last.flatMap((item) => flatten(name, item));
  }
  if (Array.isArray(value)) return value.flatMap((item) => flatten(`${name}[]`, item));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, member]) => flatten(`${name}[${key}]`, member));
  }
  // Links are logged and passed on: leave credentials out.
  const isSecret = name !== 'sudo' && (CALLER_PARAMETERS as readonly string[]).includes(name);
  return isSecret ? [] : [[name, String(value)]];
}

const shapeOf = ({ path }: AnyEndpoint) => path.replace(/([:*])\w+/g, '$1');

function refuse(
  error: unknown,
  exchange: Exchange,
  {
    onError,
    observe,
    allowed,
  }: Pick<DispatcherPorts, 'onError' | 'observe'> & { allowed: (endpoint: AnyEndpoint) => string },
  begun: boolean,
): void {
  const { request, response } = exchange;
  let rejection: Rejection;
  if (error instanceof Rejection) {
    rejection = error;
    if (rejection.status === 503 && !response.destroyed) onError(error, exchange);
  } else if (error instanceof ConflictError) rejection = new Rejection('conflict', {});
  else if (error instanceof AppendTooLargeError)
    rejection = new Rejection('too_large', { what: error.message });
  else {
    if (response.destroyed) return;
    onError(error, exchange);
    rejection = unavailability(error, { begun }) ?? new Rejection('internal');
  }
  const { status, body } = rejection;
  const headers = {
    ...(status === 405 && { Allow: allowed(exchange.endpoint) }),
    ...rejection.headers,
  };
  observe?.(exchange.endpoint, status, JSON.stringify(body));
  sendError(request, response, exchange.origin.requestId, { status, body, headers });
}

/** Aborts when the client disconnects before the answer is sent; created on first use. */
function clientDisconnectSignal(response: ServerResponse): () => AbortSignal {
  let abort: AbortController | undefined;
  return () => {
    if (abort) return abort.signal;
    const made = new AbortController();
    abort = made;
    const end = () => {
      if (!response.writableFinished) made.abort();
    };
    if (response.destroyed) end();
    else response.once('close', end);
    return made.signal;
  };
}
