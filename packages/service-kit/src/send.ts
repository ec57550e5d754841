import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import type { Answer, Headers } from './answer.ts';
import type { CachedAnswer } from './answer-cache.ts';
import { cachingHeaders, matchesEtag } from './conditional.ts';
import { listTemplate, type PlaceholderResolver, renderTemplate } from './json-template.ts';
import type { PageRequest } from './pagination.ts';
import { type Links, paginationHeaders } from './pagination-headers.ts';
import type { Origin } from './principal.ts';
import { toUtf8 } from './utf8.ts';

export interface Sending {
  request: IncomingMessage;
  response: ServerResponse;
  endpoint: AnyEndpoint;
  origin: Origin;
  page: PageRequest;
  resolver: PlaceholderResolver;
  /** The external URL of this request and its parameters, for Link headers. */
  address: string;
  parameters: readonly (readonly [string, string])[];
  cursorOf: Links['cursorOf'];
  /** Sees each answer; tests compare it with the contract. */
  observe?: ((endpoint: AnyEndpoint, status: number, body: string | null) => void) | undefined;
  store?: ((answer: CachedAnswer) => void) | undefined;
}

/** Resolves when the answer is handed to the socket; for a stream, when it has ended; for an open one, when it begins. */
export async function sendAnswer(answer: Answer, sending: Sending): Promise<void> {
  const { response, endpoint } = sending;
  const { requestId } = sending.origin;
  switch (answer.kind) {
    case 'json': {
      const rendered = renderTemplate(answer.text, sending.resolver);
      const text = typeof rendered === 'string' ? rendered : await rendered;
      return sendJson(answer.status ?? endpoint.status, text, answer.headers, sending);
    }
    case 'list': {
      const rendered = renderTemplate(listTemplate(answer.items), sending.resolver);
      const text = typeof rendered === 'string' ? rendered : await rendered;
      const links = { base: sending.address, parameters: sending.parameters, cursorOf: sending.cursorOf };
      const paging = paginationHeaders(answer.next, sending.page, links, endpoint.pagination !== 'commits');
      return sendJson(200, text, { ...paging, ...answer.headers }, sending);
    }
    case 'empty':
      sending.observe?.(endpoint, answer.status, null);
      response.writeHead(answer.status, { 'X-Request-Id': requestId, ...answer.headers });
      response.end();
      return;
    case 'text':
      sending.observe?.(endpoint, answer.status ?? endpoint.status, null);
      return sendWhole(answer.status ?? endpoint.status, answer.text, answer.headers, sending);
    case 'bytes':
      sending.observe?.(endpoint, answer.status ?? endpoint.status, null);
      return sendWhole(answer.status ?? endpoint.status, answer.bytes, answer.headers, sending);
    case 'stream':
      sending.observe?.(endpoint, answer.status ?? endpoint.status, answer.outline ?? null);
      response.writeHead(answer.status ?? endpoint.status, { 'X-Request-Id': requestId, ...answer.headers });
      if (sending.request.method === 'HEAD') {
        answer.stream.destroy();
        response.end();
        return;
      }
      // Break the connection with the stream, so that nobody takes a partial body for a complete one.
      await pipeline(answer.stream, response).catch((error: unknown) => {
        if (!response.destroyed) response.destroy(error instanceof Error ? error : undefined);
      });
      return;
    case 'open': {
      const isHead = sending.request.method === 'HEAD';
      const write = isHead ? undefined : answer.begin();
      sending.observe?.(endpoint, endpoint.status, null);
      response.writeHead(endpoint.status, { 'X-Request-Id': requestId, ...answer.headers });
      if (!write) {
        response.end();
        return;
      }
      // Written by itself, the head is one text in memory instead of a tree of forty.
      response.flushHeaders();
      // Not awaited, because an idle reader would keep all that its request needed in memory.
      write(response).catch((error: unknown) => response.destroy(error as Error));
      return;
    }
    default:
      answer satisfies never;
  }
}

function sendJson(status: number, text: string, headers: Headers | undefined, sending: Sending): void {
  sending.observe?.(sending.endpoint, status, text);
  sendWhole(status, text, { 'Content-Type': 'application/json', ...headers }, sending);
}

/** Sends a complete body. A 200 on GET or HEAD gets an ETag and goes into the cache. */
function sendWhole(status: number, body: string | Buffer, headers: Headers, sending: Sending): void {
  const { request, response, origin } = sending;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (status === 200 && reads) {
    const prepared = prepareAnswer(body, headers);
    sending.store?.(prepared);
    sendWithEtag(prepared, sending);
    return;
  }
  response.writeHead(status, {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': origin.requestId,
  });
  response.end(body);
}

/**
 * Longer texts are encoded once for length, ETag and sending. Shorter bytes are sent as latin1 text: Node writes head
 * and text together, but head and buffer as a list, which costs twice as much.
 */
const LONG = 16_384;

/** Uses the handler's own ETag if it has one. */
function prepareAnswer(given: string | Buffer, headers: Headers): CachedAnswer {
  const isText = typeof given === 'string';
  const bytes = isText && given.length > LONG ? toUtf8(given) : given;
  const etag = typeof headers.ETag === 'string' ? headers.ETag : `W/"${hash('sha1', bytes, 'base64url')}"`;
  const length = Buffer.byteLength(bytes);
  const body = !isText && length <= LONG ? given.toString('latin1') : bytes;
  const all = { ...headers, ...cachingHeaders(etag), 'Content-Length': length };
  const listed: string[] = [];
  for (const name in all) listed.push(name, String(all[name as keyof typeof all]));
  return { body, etag, headers: listed, isOneByte: typeof body === 'string' && length === body.length };
}

type Receiving = Pick<Sending, 'request' | 'response' | 'origin'>;

export function sendCached(
  answer: CachedAnswer,
  exchange: Receiving & Pick<Sending, 'endpoint'>,
  observe: Sending['observe'],
): void {
  observe?.(exchange.endpoint, 200, String(answer.body));
  sendWithEtag(answer, exchange);
}

/**
 * Sends a 200, or a 304 if the ETag matches. `writeHead` gets all headers at once: `setHeader` would validate and
 * copy each, which costs 6 µs.
 */
function sendWithEtag(answer: CachedAnswer, { request, response, origin }: Receiving): void {
  const headers = answer.headers.concat('X-Request-Id', origin.requestId);
  if (matchesEtag(request.headers, answer.etag)) {
    headers.splice(headers.indexOf('Content-Length'), 2);
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(200, headers);
  response.end(answer.body, answer.isOneByte ? 'latin1' : 'utf8');
}

/** A refusal. A string is sent as plain text, anything else as JSON. */
export interface Refusal {
  status: number;
  body: object | string;
  headers?: Readonly<Record<string, string>>;
}

/** @param requestId undefined where it is unknown, or already set on the response */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string | undefined,
  { status, body, headers }: Refusal,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const unread = isUnread(request);
  response.writeHead(status, {
    'Content-Type': typeof body === 'string' ? 'text/plain' : 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...(requestId !== undefined && { 'X-Request-Id': requestId }),
    // Do not wait for the rest of a refused body.
    ...(unread ? { Connection: 'close' } : {}),
    ...headers,
  });
  if (unread) endWhileSending(request, response, text);
  else response.end(text);
}

/** Silence after which a client counts as done, and limits on the discarded input until then. */
const QUIET_MS = 50;
const LONGEST_LINGER_MS = 1000;
const MOST_LINGER_BYTES = 4 * 1024 * 1024;

/**
 * Ends a refusal while the request still arrives. Closing the connection would reset it, and the reset may overtake
 * the answer. So the answer is sent at once and input is discarded for a moment.
 */
function endWhileSending(request: IncomingMessage, response: ServerResponse, text: string): void {
  let thrownAway = 0;
  const end = () => {
    clearTimeout(quiet);
    clearTimeout(longest);
    request.off('data', take);
    request.resume();
    response.end();
  };
  const take = (chunk: Buffer) => {
    thrownAway += chunk.length;
    if (thrownAway > MOST_LINGER_BYTES) end();
    else quiet.refresh();
  };
  const quiet = setTimeout(end, QUIET_MS);
  const longest = setTimeout(end, LONGEST_LINGER_MS);
  response.write(text);
  request.on('data', take);
  request.once('end', end);
  response.once('close', () => {
    clearTimeout(quiet);
    clearTimeout(longest);
  });
}

/** Without a body, a request may be refused before Node marks it complete. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
