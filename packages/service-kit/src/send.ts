import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import type { Answer, Headers } from './answer.ts';
import type { WholeAnswer } from './answer-cache.ts';
import { cachingHeaders, isKnown } from './conditional.ts';
import { listTemplate, type PlaceholderResolver, renderTemplate } from './json-template.ts';
import type { PageRequest } from './pagination.ts';
import { type Links, paginationHeaders } from './pagination-headers.ts';
import type { Origin } from './principal.ts';

export interface Sending {
  request: IncomingMessage;
  response: ServerResponse;
  endpoint: AnyEndpoint;
  origin: Origin;
  page: PageRequest;
  resolver: PlaceholderResolver;
  /** The external address of this very request, for Link headers, and its parameters. */
  address: string;
  parameters: readonly (readonly [string, string])[];
  cursorOf: Links['cursorOf'];
  /** Told what was sent, where someone checks it (tests hold it against the contract). */
  observe?: ((endpoint: AnyEndpoint, status: number, body: string | null) => void) | undefined;
  /** Takes a whole 200 for whoever asks the same next. */
  remember?: ((answer: WholeAnswer) => void) | undefined;
}

/** Sends an answer; the promise ends when it is handed over (for a stream: when the stream has ended). */
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
      sending.observe?.(endpoint, answer.status ?? endpoint.status, null);
      response.writeHead(answer.status ?? endpoint.status, { 'X-Request-Id': requestId, ...answer.headers });
      if (sending.request.method === 'HEAD') {
        answer.stream.destroy();
        response.end();
        return;
      }
      // A broken stream breaks the connection, so that nobody takes half a body for a whole one.
      await pipeline(answer.stream, response).catch((error: unknown) => {
        if (!response.destroyed) response.destroy(error instanceof Error ? error : undefined);
      });
      return;
    default:
      answer satisfies never;
  }
}

function sendJson(status: number, text: string, headers: Headers | undefined, sending: Sending): void {
  sending.observe?.(sending.endpoint, status, text);
  sendWhole(status, text, { 'Content-Type': 'application/json', ...headers }, sending);
}

/** A body that is at hand, with its length; a 200 on GET has an ETag, and is kept where that is wanted. */
function sendWhole(status: number, body: string | Buffer, headers: Headers, sending: Sending): void {
  const { request, response, origin } = sending;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (status === 200 && reads) {
    const whole = wholeAnswer(body, headers);
    sending.remember?.(whole);
    sendTagged(whole, sending);
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
 * Longer texts are encoded once for their length, their ETag and for sending. Shorter bytes go as text that holds a byte
 * in each character: Node writes a head and a text at once, a head and a buffer as a list, which costs twice as much.
 */
const LONG = 16_384;

/** The ETag is the handler's own, or made of the body. */
function wholeAnswer(given: string | Buffer, headers: Headers): WholeAnswer {
  const isText = typeof given === 'string';
  const bytes = isText && given.length > LONG ? Buffer.from(given) : given;
  const etag = typeof headers.ETag === 'string' ? headers.ETag : `W/"${hash('sha1', bytes, 'base64url')}"`;
  const length = Buffer.byteLength(bytes);
  const body = !isText && length <= LONG ? given.toString('latin1') : bytes;
  const whole = { ...headers, ...cachingHeaders(etag), 'Content-Length': length };
  const listed: string[] = [];
  for (const name in whole) listed.push(name, String(whole[name as keyof typeof whole]));
  return { body, etag, headers: listed, isOneByte: typeof body === 'string' && length === body.length };
}

type Receiving = Pick<Sending, 'request' | 'response' | 'origin'>;

/** An answer that was sent before and still holds. */
export function sendKnown(
  whole: WholeAnswer,
  exchange: Receiving & Pick<Sending, 'endpoint'>,
  observe: Sending['observe'],
): void {
  observe?.(exchange.endpoint, 200, String(whole.body));
  sendTagged(whole, exchange);
}

/**
 * A 200, or the 304 that its ETag makes of it. All headers go to `writeHead` at once: with `setHeader` before it
 * Node checks and copies them one by one, for 6 µs.
 */
function sendTagged(whole: WholeAnswer, { request, response, origin }: Receiving): void {
  const headers = whole.headers.concat('X-Request-Id', origin.requestId);
  if (isKnown(request.headers, whole.etag)) {
    headers.splice(headers.indexOf('Content-Length'), 2);
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(200, headers);
  response.end(whole.body, whole.isOneByte ? 'latin1' : 'utf8');
}

/** What a refusal answers. Its body is JSON unless it is plain text. */
export interface Refusal {
  status: number;
  body: object | string;
  headers?: Readonly<Record<string, string>>;
}

/** @param requestId undefined where it is not known, or on the response already */
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
    // What was not read of a refused body is not waited for.
    ...(unread ? { Connection: 'close' } : {}),
    ...headers,
  });
  if (unread) endWhileSending(request, response, text);
  else response.end(text);
}

/** Pause after which a client is taken to have stopped sending, and bounds on what is thrown away until then. */
const QUIET_MS = 50;
const LONGEST_LINGER_MS = 1000;
const MOST_LINGER_BYTES = 4 * 1024 * 1024;

/**
 * Ends a refusal whose request is still being sent. A connection that closes while bytes come in is reset, and the
 * reset may overtake the answer: so the answer goes out at once, and what comes is thrown away for a moment.
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

/** A request without a body may be refused so early that Node does not call it complete yet. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
