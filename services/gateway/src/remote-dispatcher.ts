import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AnyEndpoint, ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import { firstAnswer } from '@forgelog/service-kit/split/first-answer.ts';
import type { ServiceCall, ServiceClient } from '@forgelog/service-kit/split/service-client.ts';
import type { Destination } from './service-addresses.ts';

export interface RemoteDispatcherPorts {
  client: ServiceClient;
  own: (exchange: Exchange) => void | Promise<void>;
  /** Finds the instances that can answer an exchange. @throws Rejection if there is none */
  destination: (service: Exclude<ServiceName, 'gateway'>, exchange: Exchange) => Promise<Destination>;
  /** The log position that the gateway's read models have applied. */
  position: () => Position;
}

/** Bytes of an answer up to which it is collected before it is sent on. */
const SHORT = 65_536;

/** Headers that belong to one connection, not to the message. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
];
/** Headers that are not forwarded: credentials, and those that only the gateway may set. */
const NOT_FORWARDED = new Set([
  ...HOP_BY_HOP,
  'authorization',
  'private-token',
  'job-token',
  'deploy-token',
  'cookie',
  'sudo',
  'host',
  'expect',
]);
/** Response headers that are not forwarded. Node sets the framing itself. */
const NOT_RETURNED = new Set([...HOP_BY_HOP, 'transfer-encoding', 'date', 'x-request-id']);

/**
 * Proxies exchanges to the services. Bodies stream in both directions, and a client disconnect cancels the call.
 * @throws Rejection until the answer has begun
 */
export function createRemoteDispatcher(ports: RemoteDispatcherPorts): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    const { endpoint, request, response, origin, principal } = exchange;
    const { service } = endpoint;
    if (service === 'gateway') return ports.own(exchange);
    const abort = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) abort.abort();
    });
    let incoming: IncomingMessage;
    /** A short answer as a whole. */
    let whole: Buffer | undefined;
    try {
      const { urls, body = hasBody(request) ? request : undefined } = await ports.destination(
        service,
        exchange,
      );
      const call: Omit<ServiceCall, 'url' | 'waits'> = {
        service,
        method: request.method!,
        target: exchange.search === '' ? exchange.path : `${exchange.path}?${exchange.search}`,
        headers: forwardedHeaders(request, endpoint),
        claims: {
          kind: 'endpoint',
          endpoint: endpoint.id,
          pathParams: known(exchange.pathParams),
          principal: principal && { ...principal, scopes: [...principal.scopes] },
          ...origin,
          position: ports.position(),
        },
        body,
        signal: abort.signal,
        repeatable: request.method === 'GET' || request.method === 'HEAD',
      };
      // A streamed body can be sent only once, so do not retry on another instance.
      const asked = body === request ? urls.slice(0, 1) : urls;
      incoming = await firstAnswer(asked, (url, waits) => ports.client.call({ ...call, url, waits }));
      if (isShort(incoming)) whole = await collectShort(incoming);
    } catch (error) {
      if (response.destroyed) return;
      throw error;
    }
    response.writeHead(incoming.statusCode!, {
      ...returnedHeaders(incoming),
      'X-Request-Id': origin.requestId,
      // Do not drain the rest of a refused body.
      ...(request.complete ? {} : { Connection: 'close' }),
    });
    if (whole) response.end(whole);
    // Break the connection on a broken stream, or the client would take half a body for a whole one.
    else await pipeline(incoming, response).catch(() => response.destroy());
  };
}

/**
 * Collects by events: an answer leaves with its head in one write then, and neither a pipeline nor an async iterator is
 * set up for a single chunk. undefined when it broke off.
 */
function collectShort(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    incoming.once('error', () => resolve(undefined));
    incoming.once('close', () => resolve(undefined));
  });
}

function isShort({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) <= SHORT;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function forwardedHeaders(
  { headers }: IncomingMessage,
  { access }: AnyEndpoint,
): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    // Headers between services are internal.
    if (value === undefined || NOT_FORWARDED.has(name) || name.startsWith('forgelog-')) continue;
    passed[name] = value;
  }
  if (access.kind === 'job' && headers['job-token'] !== undefined) passed['job-token'] = headers['job-token'];
  return passed;
}

/** Keeps the spelling of header names. */
function returnedHeaders({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const passed: Record<string, string[]> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (NOT_RETURNED.has(name.toLowerCase())) continue;
    passed[name] = [...(passed[name] ?? []), rawHeaders[at + 1]!];
  }
  return passed;
}

function known(params: Exchange['pathParams']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
