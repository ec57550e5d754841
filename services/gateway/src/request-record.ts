import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import type { GitService } from '@forgelog/service-kit/git-transport.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { type Principal, userIdOf } from '@forgelog/service-kit/principal.ts';
import { createRequestMeter } from '@forgelog/service-kit/telemetry/http-metrics.ts';
import type { Telemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import { traceIdOf } from '@forgelog/service-kit/telemetry/tracing.ts';
import type { ClientAddressOf } from './client-address.ts';

/** Facts about a request for its log line and the access log, filled in while it is served. */
export interface RequestRecord {
  readonly requestId: string;
  /** The path with single slashes; `search` is the query without its question mark. */
  readonly path: string;
  readonly search: string;
  /** The client's IP address, as far as trusted proxies report it; null once the connection is gone. */
  readonly clientAddress: string | null;
  /** The client's `User-Agent`, truncated. */
  readonly userAgent: string | undefined;
  /** The caller; undefined before they are authenticated. */
  principal?: Principal | null;
  endpoint?: AnyEndpoint;
  pathParams?: Readonly<Record<string, string | undefined>>;
  /** What git asks for, of the project at this path. */
  git?: { project: string; service: GitService };
  /** The gateway's own span, where tracing is on. */
  readonly traceparent: string | undefined;
}

/** The client disconnected before the answer: nginx's status for it, since HTTP has none. */
const CLIENT_GONE = 499;
const LONGEST_AGENT = 256; // characters

/**
 * A socket counts all requests of a connection: what it had sent and received when the one before ended. Beside the
 * socket, because properties of ours make V8 keep all properties of the socket in a slow and large table.
 */
const counted = new WeakMap<object, { sent: number; received: number }>();

/** Writes a log line, metrics and a span per request. They never hold a body or a query, which may hold a token. */
export function createRequestRecorder({
  log,
  telemetry,
  clientAddressOf,
  answered,
}: {
  log: Logger;
  telemetry: Telemetry;
  clientAddressOf: ClientAddressOf;
  /** Told of each answer, when it is sent or its client gone. */
  answered: (record: RequestRecord, status: number) => void;
}) {
  const { metrics, tracer } = telemetry;
  const meter = createRequestMeter(metrics);
  let inFlight = 0;
  metrics.gauge({ name: 'forgelog_http_requests_in_flight', help: 'Requests without an answer yet.' }, () => [
    [[], inFlight],
  ]);
  return (request: IncomingMessage, response: ServerResponse): RequestRecord => {
    const begin = performance.now();
    const requestId = requestIdOf(request);
    const { method, url = '' } = request;
    const { socket } = request;
    const at = url.indexOf('?');
    const path = at < 0 ? url : url.slice(0, at);
    const search = at < 0 ? '' : url.slice(at + 1);
    const given = request.headers.traceparent;
    const span = tracer?.start(method ?? '', {
      component: 'gateway',
      kind: 'server',
      parent: typeof given === 'string' ? given : undefined,
    });
    const record: RequestRecord = {
      ...{ requestId, path, search },
      clientAddress: clientAddressOf(request),
      userAgent: request.headers['user-agent']?.slice(0, LONGEST_AGENT),
      traceparent: span?.traceparent,
    };
    inFlight++;
    response.on('close', () => {
      inFlight--;
      const ms = performance.now() - begin;
      const { statusCode: status, writableFinished } = response;
      const { endpoint } = record;
      const user = userIdOf(record.principal ?? null) ?? undefined;
      const { received, sent } = bytesOf(socket);
      const label = endpoint?.id ?? labelBeside(path);
      meter(label, writableFinished ? status : CLIENT_GONE, ms);
      const entry = {
        requestId,
        traceId: traceIdOf(record.traceparent),
        method,
        path,
        status,
        ms: Math.round(ms * 100) / 100,
        user,
        deployToken: record.principal?.deployToken && record.principal.credential.id,
        client: record.clientAddress,
        agent: record.userAgent,
        received,
        sent,
        aborted: writableFinished ? undefined : true,
      };
      log.info(entry, 'request');
      answered(record, status);
      if (!span) return;
      span.name(`${method} ${endpoint?.path ?? label}`);
      span.set({
        'http.request.method': method,
        'http.route': endpoint?.path,
        'http.response.status_code': status,
        'url.path': path,
        'enduser.id': user,
        'client.address': record.clientAddress ?? undefined,
        'user_agent.original': record.userAgent,
        'forgelog.request_id': requestId,
      });
      if (status >= 500) span.fail(new Error(`answered ${status}`));
      span.end();
    });
    return record;
  };
}

function bytesOf(socket: IncomingMessage['socket']): { received: number; sent: number } {
  const { bytesRead, bytesWritten } = socket;
  const before = counted.get(socket);
  if (!before) {
    counted.set(socket, { received: bytesRead, sent: bytesWritten });
    return { received: bytesRead, sent: bytesWritten };
  }
  const between = { received: bytesRead - before.received, sent: bytesWritten - before.sent };
  before.received = bytesRead;
  before.sent = bytesWritten;
  return between;
}

/** Keeps the caller's own request id if it is harmless, so that both logs can be joined. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
}

/** Maps paths outside the API to a few metric labels. */
function labelBeside(path: string): string {
  if (path.startsWith('/-/')) return 'operations';
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (last === 'git-upload-pack' || last === 'git-receive-pack') return last;
  return path.endsWith('.git/info/refs') ? 'git-info-refs' : 'none';
}
