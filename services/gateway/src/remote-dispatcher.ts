import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import { firstAnswer } from '@forgelog/service-kit/split/first-answer.ts';
import type { ServiceCall, ServiceClient } from '@forgelog/service-kit/split/service-client.ts';
import type { Destination } from './service-addresses.ts';

export interface RemoteDispatcherPorts {
  client: ServiceClient;
  /** Serves what the gateway answers itself. */
  own: (exchange: Exchange) => void | Promise<void>;
  /** The instances that can answer an exchange of another service. @throws Rejection where there is none */
  destination: (service: Exclude<ServiceName, 'gateway'>, exchange: Exchange) => Promise<Destination>;
  /** What the gateway's read models have applied: at least what the log held when the exchange arrived. */
  position: () => Position;
}

/** Of one connection alone, not of the message. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
];
/** What ends here besides: credentials, and what only the gateway may say. */
const KEPT_HERE = new Set([
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
/** Its length is known or it is in chunks: Node finds out by itself. */
const NOT_PASSED_BACK = new Set([...HOP_BY_HOP, 'transfer-encoding', 'date', 'x-request-id']);

/**
 * Serves exchanges by handing them to the services: request and answer stream through, and whoever goes away ends
 * what goes on for him. @throws Rejection where no answer has begun
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
    try {
      const { urls, body = hasBody(request) ? request : undefined } = await ports.destination(
        service,
        exchange,
      );
      const call: Omit<ServiceCall, 'url'> = {
        service,
        method: request.method!,
        target: exchange.search === '' ? exchange.path : `${exchange.path}?${exchange.search}`,
        headers: passedOn(request),
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
      // A body that streams goes once: whoever does not take it is not followed by another.
      const asked = body === request ? urls.slice(0, 1) : urls;
      incoming = await firstAnswer(asked, (url) => ports.client.call({ ...call, url }));
    } catch (error) {
      if (response.destroyed) return;
      throw error;
    }
    response.writeHead(incoming.statusCode!, {
      ...passedBack(incoming),
      'X-Request-Id': origin.requestId,
      // What was not read of a refused body is not waited for.
      ...(request.complete ? {} : { Connection: 'close' }),
    });
    // A broken stream breaks the connection, so that nobody takes half a body for a whole one.
    await pipeline(incoming, response).catch(() => response.destroy());
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function passedOn({ headers }: IncomingMessage): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    // What services say to each other is theirs alone.
    if (value === undefined || KEPT_HERE.has(name) || name.startsWith('forgelog-')) continue;
    passed[name] = value;
  }
  return passed;
}

/** Names as the service wrote them. */
function passedBack({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const passed: Record<string, string[]> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (NOT_PASSED_BACK.has(name.toLowerCase())) continue;
    passed[name] = [...(passed[name] ?? []), rawHeaders[at + 1]!];
  }
  return passed;
}

function known(params: Exchange['pathParams']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
