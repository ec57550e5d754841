import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Method } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { sendError } from './send.ts';

/** Every method that endpoints have, in the order in which they are listed. */
export const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The value of `Allow` (RFC 9110, 10.2.1): what can be read has a head as well, and OPTIONS is answered everywhere. */
export function allowOf(methods: Iterable<Method>): string {
  const allowed = new Set(methods);
  if (allowed.has('GET')) allowed.add('HEAD');
  return [...METHODS.filter((method) => allowed.has(method)), 'OPTIONS'].join(', ');
}

/** Answers OPTIONS with what is allowed. */
export function sendOptions(response: ServerResponse, allow: string, requestId?: string): void {
  response.writeHead(204, { Allow: allow, ...(requestId !== undefined && { 'X-Request-Id': requestId }) });
  response.end();
}

const READS = allowOf(['GET']);

/** Answers what would change a page that is only read, or asks what can be done with it. True when it did. */
export function answerUnlessRead(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  if (request.method === 'OPTIONS') sendOptions(response, READS);
  else
    sendError(request, response, undefined, new Rejection('method_not_allowed', undefined, { Allow: READS }));
  return true;
}
