import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AnyEndpoint, ServiceName } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { Authorizer } from '../access.ts';
import type { Exchange } from '../dispatcher.ts';
import { logRefusal } from '../failure-log.ts';
import type { GitTransport, RepositoryTransport } from '../git-transport.ts';
import type { Logger } from '../log.ts';
import { answerOperation, type OperationImplementation } from '../operations.ts';
import { collect } from '../request-body.ts';
import { unavailability } from '../unavailable.ts';
import { digestOf, EXCHANGE_HEADER, type ExchangeClaims, type ExchangeTokens } from './exchange-token.ts';
import { writeRejection } from './wire-rejection.ts';

export interface ServiceAppPorts {
  service: ServiceName;
  endpoints: readonly AnyEndpoint[];
  tokens: ExchangeTokens;
  dispatch: (exchange: Exchange) => void | Promise<void>;
  caughtUp: (position: Position) => Promise<void>;
  health: (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
  authorizer: Authorizer;
  git?: GitTransport;
  operations: readonly OperationImplementation[];
  giveCopy: (claims: ExchangeClaims & { kind: 'read-models' }, response: ServerResponse) => Promise<void>;
  log: Logger;
}

/** Operations carry parameters, never files. */
const MAX_OPERATION_REQUEST = 1_048_576;
/** Marks a body as a refusal's row of the error table. */
export const REFUSED = 'forgelog-refused';
/** Its value where the process is not ready, and has not looked at the call. */
export const NOT_READY = 'not-ready';

/**
 * The HTTP interface of a service that runs apart. It accepts only exchanges signed by the gateway or another
 * service. Answers are byte for byte those of a single process.
 */
export function createServiceApp(ports: ServiceAppPorts): RequestListener<typeof IncomingMessage> {
  const endpoints = new Map(
    ports.endpoints
      .filter((endpoint) => endpoint.service === ports.service)
      .map((endpoint) => [endpoint.id, endpoint]),
  );
  const operations = new Map(ports.operations.map((one) => [one.operation.id, one]));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '/';
    const at = url.indexOf('?');
    const path = at < 0 ? url : url.slice(0, at);
    if (ports.health(request, response, path)) return;
    const token = request.headers[EXCHANGE_HEADER];
    const claims = ports.tokens.verify(typeof token === 'string' ? token : undefined, ports.service);
    if (!claims) throw new Rejection('unauthorized');
    await ports.caughtUp(claims.position);
    switch (claims.kind) {
      case 'endpoint': {
        const endpoint = endpoints.get(claims.endpoint);
        if (!endpoint) throw new Rejection('unknown_route');
        const { principal, pathParams, requestId, clientAddress, userAgent, traceparent } = claims;
        const origin = { requestId, clientAddress, userAgent, traceparent };
        const search = at < 0 ? '' : url.slice(at + 1);
        const { position } = claims;
        return ports.dispatch({
          ...{ request, response, endpoint, pathParams, path, search },
          ...{ principal, position, origin },
        });
      }
      case 'git':
        return serveGit(claims, request, response);
      case 'snippet-git':
        return serveSnippet(claims, request, response);
      case 'wiki-git':
        return serveWiki(claims, request, response);
      case 'first-push':
        return serveFirstPush(claims, request, response);
      case 'operation':
        return serveOperation(claims, request, response);
      case 'read-models':
        return ports.giveCopy(claims, response);
      default:
        claims satisfies never;
    }
  }

  async function serveGit(
    claims: ExchangeClaims & { kind: 'git' },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { operation, service, projectId, principal, protocol, metadata, traceparent } = claims;
    if (!ports.git) throw new Rejection('unknown_route');
    const grant = await ports.authorizer.project(String(projectId), principal);
    if (!grant) throw new Rejection('not_found', { what: 'Project' });
    const signal = callerDisconnectSignal(response);
    const asked = { grant, principal, protocol: protocol ?? undefined, traceparent, signal };
    await answerGit(ports.git, { operation, service, metadata }, asked, request, response);
  }

  async function serveSnippet(
    claims: ExchangeClaims & { kind: 'snippet-git' },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { operation, service, snippetId, projectId, principal, protocol, metadata, traceparent } = claims;
    if (!ports.git) throw new Rejection('unknown_route');
    const grant =
      projectId === null
        ? null
        : ((await ports.authorizer.project(String(projectId), principal)) ?? undefined);
    if (grant === undefined) throw new Rejection('not_found', { what: 'Project' });
    const signal = callerDisconnectSignal(response);
    const asked = { snippetId, grant, principal, protocol: protocol ?? undefined, traceparent, signal };
    await answerGit(ports.git.snippets, { operation, service, metadata }, asked, request, response);
  }

  async function serveWiki(
    claims: ExchangeClaims & { kind: 'wiki-git' },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { operation, service, projectId, groupId, principal, protocol, metadata, traceparent } = claims;
    if (!ports.git) throw new Rejection('unknown_route');
    const grant =
      projectId === null
        ? await ports.authorizer.group(String(groupId), principal)
        : await ports.authorizer.project(String(projectId), principal);
    if (!grant) throw new Rejection('not_found', { what: 'Wiki' });
    const signal = callerDisconnectSignal(response);
    const asked = { grant, principal, protocol: protocol ?? undefined, traceparent, signal };
    await answerGit(ports.git.wikis, { operation, service, metadata }, asked, request, response);
  }

  async function answerGit<Asked>(
    repositories: RepositoryTransport<Asked>,
    {
      operation,
      service,
      metadata,
    }: Pick<ExchangeClaims & { kind: 'git' }, 'operation' | 'service' | 'metadata'>,
    asked: Asked,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const output =
      operation === 'advertise'
        ? await repositories.advertise(service, asked)
        : operation === 'uploadPack'
          ? await repositories.uploadPack(request, asked)
          : await repositories.receivePack(request, { ...asked, metadata: metadata! });
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    await pipeline(output, response);
  }

  async function serveFirstPush(
    claims: ExchangeClaims & { kind: 'first-push' },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { path, principal, protocol, metadata, traceparent } = claims;
    if (!ports.git) throw new Rejection('unknown_route');
    const signal = callerDisconnectSignal(response);
    const asked = { path, principal, protocol: protocol ?? undefined, metadata, traceparent, signal };
    const output = await ports.git.receiveNew(request, asked);
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    await pipeline(output, response);
  }

  async function serveOperation(
    claims: ExchangeClaims & { kind: 'operation' },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const found = operations.get(claims.operation);
    if (!found || (found.operation.effect === 'write') !== (claims.write !== null))
      throw new Rejection('unknown_route');
    const body = await collect(request, MAX_OPERATION_REQUEST);
    if (digestOf(body) !== claims.request) throw new Rejection('unauthorized');
    const signal = callerDisconnectSignal(response);
    const asking = { principal: claims.principal, ...claims.write, signal };
    const answer = await answerOperation(found, JSON.parse(body.toString('utf8')), asking).catch((error) => {
      throw unavailability(error, { begun: found.operation.effect === 'write' }) ?? error;
    });
    const text = JSON.stringify(answer);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  }

  function refuse(error: unknown, response: ServerResponse): void {
    const refusal = error instanceof Rejection ? error : unavailability(error);
    if (error instanceof Rejection) logRefusal(ports.log, error, {});
    else if (!refusal) ports.log.error({ err: error }, 'exchange failed');
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    sendRefusal(response, refusal ?? new Rejection('internal'));
  }

  return (request, response) => {
    serve(request, response)
      .catch((error: unknown) => refuse(error, response))
      // Discard the rest of the body, so that the connection can serve the next exchange.
      .finally(() => request.resume());
  };
}

function callerDisconnectSignal(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abort.abort();
  });
  return abort.signal;
}

/** Refuses another process, which recreates the Rejection from the marked body. */
export function sendRefusal(response: ServerResponse, rejection: Rejection, mark = '1'): void {
  const body = writeRejection(rejection);
  response.writeHead(rejection.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    [REFUSED]: mark,
  });
  response.end(body);
}

/**
 * A response between processes. `Connection: close`, meant for a client whose body is unread, must not close this
 * connection, or the answer could be lost. A server that drains still closes it, and says so.
 */
export class ServiceResponse extends ServerResponse {
  override writeHead(status: number, ...rest: unknown[]): this {
    if (!this.shouldKeepAlive) {
      this.setHeader('Connection', 'close');
      return super.writeHead(status, ...(rest as []));
    }
    this.removeHeader('Connection');
    const headers = rest.at(-1);
    if (typeof headers === 'object' && headers !== null && 'Connection' in headers) {
      const { Connection: _, ...others } = headers;
      rest[rest.length - 1] = others;
    }
    return super.writeHead(status, ...(rest as []));
  }
}
