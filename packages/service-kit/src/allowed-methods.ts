import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Method } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { sendError } from './send.ts';

/** In the order in which `Allow` lists them. */
export const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The value of `Allow` (RFC 9110, 10.2.1): GET implies HEAD, and OPTIONS works everywhere. */
export function allowOf(methods: Iterable<Method>): string {
  const allowed = new Set(methods);
  if (allowed.has('GET')) allowed.add('HEAD');
  return [...METHODS.filter((method) => allowed.has(method)), 'OPTIONS'].join(', ');
}

export function sendOptions(response: ServerResponse, allow: string, requestId?: string): void {
  response.writeHead(204, { Allow: allow, ...(requestId !== undefined && { 'X-Request-Id': requestId }) });
  response.end();
}

const READS = allowOf(['GET']);

/** Answers OPTIONS, and refuses a write to a read-only page. Returns true when it answered. */
export function answerUnlessRead(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  if (request.method === 'OPTIONS') sendOptions(response, READS);
  else
    sendError(request, response, undefined, new Rejection('method_not_allowed', undefined, { Allow: READS }));
  return true;
}
