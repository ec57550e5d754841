import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { createRequestMeter } from '@forgelog/service-kit/telemetry/http-metrics.ts';
import type { Telemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import { traceIdOf } from '@forgelog/service-kit/telemetry/tracing.ts';
import type { ClientAddressOf } from './client-address.ts';

/** What is known of a request when its answer is out; filled in on the way. */
export interface RequestRecord {
  readonly requestId: string;
  /** What is served, with single slashes; the query without its question mark. */
  readonly path: string;
  readonly search: string;
  /** Of the client, as far as trusted proxies tell; null where the connection is gone already. */
  readonly clientAddress: string | null;
  /** What the client says that it is, cut off where it is long. */
  readonly userAgent: string | undefined;
  /** Who called, once that is known. */
  user?: number | undefined;
  /** What was asked for, once that is known. */
  endpoint?: AnyEndpoint;
  /** Where tracing is on: of the gateway's own part of the trace. */
  readonly traceparent: string | undefined;
}

/** The client went away before its answer was out: nginx's number for it, since HTTP has none. */
const CLIENT_GONE = 499;
/** Characters. */
const LONGEST_AGENT = 256;

/**
 * Follows each request until its answer is out, then writes its log line, its metrics and its span. Never a query (it
 * may hold a token) and never a body.
 */
export function createRequestRecorder({
  log,
  telemetry,
  clientAddressOf,
}: {
  log: Logger;
  telemetry: Telemetry;
  clientAddressOf: ClientAddressOf;
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
      const { user, endpoint } = record;
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
        client: record.clientAddress,
        aborted: writableFinished ? undefined : true,
      };
      log.info(entry, 'request');
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

/** A caller's own id is kept where it is harmless, so that their logs and ours meet. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
}

/** What is served beside the API, by a few names; whatever else was asked for is `none`. */
function labelBeside(path: string): string {
  if (path.startsWith('/-/')) return 'operations';
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (last === 'git-upload-pack' || last === 'git-receive-pack') return last;
  return path.endsWith('.git/info/refs') ? 'git-info-refs' : 'none';
}
