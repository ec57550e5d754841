import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import type { Answer, Headers } from './answer.ts';
import { type PageRequest, paginationHeaders } from './pagination.ts';
import { type ReferenceResolver, renderReadyJson } from './ready-json.ts';

export interface Sending {
  request: IncomingMessage;
  response: ServerResponse;
  endpoint: AnyEndpoint;
  page: PageRequest;
  resolver: ReferenceResolver;
  /** The external address of this very request, for Link headers, and its parameters. */
  address: string;
  parameters: readonly (readonly [string, string])[];
  direction: 'asc' | 'desc';
  /** Told what was sent, where someone checks it (tests hold it against the contract). */
  observe?: ((endpoint: AnyEndpoint, status: number, body: string | null) => void) | undefined;
}

/** Sends an answer; the promise ends when it is handed over (for a stream: when the stream has ended). */
export async function sendAnswer(answer: Answer, sending: Sending): Promise<void> {
  const { response, endpoint } = sending;
  switch (answer.kind) {
    case 'json': {
      const text = await renderReadyJson(answer.text, sending.resolver);
      return sendJson(answer.status ?? endpoint.status, text, answer.headers, sending);
    }
    case 'list': {
      const text = await renderReadyJson(`[${answer.items.join(',')}]`, sending.resolver);
      const links = { base: sending.address, parameters: sending.parameters, direction: sending.direction };
      const paging = paginationHeaders(answer.next, sending.page, links, endpoint.pagination !== 'commits');
      return sendJson(200, text, { ...paging, ...answer.headers }, sending);
    }
    case 'empty':
      sending.observe?.(endpoint, answer.status, null);
      response.writeHead(answer.status, { ...answer.headers });
      response.end();
      return;
    case 'text':
      return sendWhole(answer.status ?? endpoint.status, answer.text, answer.headers, sending);
    case 'bytes':
      return sendWhole(answer.status ?? endpoint.status, answer.bytes, answer.headers, sending);
    case 'stream':
      response.writeHead(answer.status ?? endpoint.status, answer.headers);
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

/** A body that is at hand: with its length, and for a 200 on GET its ETag and the 304 that goes with it. */
function sendWhole(
  status: number,
  body: string | Buffer,
  headers: Headers,
  { request, response }: Sending,
): void {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (status === 200 && reads) {
    const etag = `W/"${hash('sha1', body, 'base64url')}"`;
    const known = request.headers['if-none-match'];
    const caching = { ETag: etag, 'Cache-Control': 'max-age=0, private, must-revalidate', Vary: 'Origin' };
    if (known !== undefined && matches(known, etag)) {
      response.writeHead(304, { ...headers, ...caching });
      response.end();
      return;
    }
    response.writeHead(200, { ...headers, ...caching, 'Content-Length': Buffer.byteLength(body) });
  } else response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function matches(known: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return known === '*' || known.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** A refusal's body; JSON unless it is plain text. */
export function sendError(
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': typeof body === 'string' ? 'text/plain' : 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
