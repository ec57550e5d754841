import { type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorTable } from '@forgelog/contracts/error-table.ts';
import type { Rejection } from '@forgelog/contracts/errors.ts';
import { type Configuration, ConfigurationError } from '@forgelog/service-kit/configuration.ts';

/**
 * Gives a request without a body a complete empty one: waiting for its end costs a small answer 2 µs. Keeps idle connections
 * longer than clients and the usual proxies do (60 s), or a request would meet the end of its connection.
 */
export const HTTP: Pick<ServerOptions, 'optimizeEmptyRequests' | 'keepAliveTimeout'> = {
  optimizeEmptyRequests: true,
  keepAliveTimeout: 65_000,
};

/** The latest response, kept on the socket: cheaper per request than a map of sockets. */
const LATEST = Symbol('latest answer');
type Answering = Duplex & { [LATEST]?: ServerResponse };

const connections = new WeakMap<Server, Set<Answering>>();

/** Yields the latest response of each open connection; requires `listen`. */
export function* latestResponses(server: Server): Generator<ServerResponse> {
  for (const { [LATEST]: latest } of connections.get(server) ?? []) if (latest) yield latest;
}

/** @throws ConfigurationError when the address is not available */
export async function listen(server: Server, { HOST, PORT }: Configuration): Promise<string> {
  const open = new Set<Answering>();
  connections.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.prependListener('request', ({ socket }: { socket: Answering }, response: ServerResponse) => {
    socket[LATEST] = response;
  });
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(
        new ConfigurationError(
          `Cannot listen on ${HOST}:${PORT} (HOST, PORT): ${error.code ?? error.message}`,
        ),
      );
    server.once('error', refuse);
    server.listen(PORT, HOST, () => {
      server.off('error', refuse);
      resolve();
    });
  });
  const { port, family, address } = server.address() as AddressInfo;
  if (address === '::' || address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Any other parser error means that the input is not HTTP. */
const BROKEN: Readonly<Record<string, readonly [status: number, text: object]>> = {
  HPE_HEADER_OVERFLOW: [431, errorTable.head_too_large.body(undefined)],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, { error: 'The extensions of a chunk are too large' }],
  ERR_HTTP_REQUEST_TIMEOUT: [408, { error: 'The request took too long to arrive' }],
};
const NOT_HTTP = [400, { error: 'The request cannot be read as HTTP' }] as const;

/** Answers input that never becomes a request, then closes the connection; requires `listen`. */
export function refuseBroken(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Answering) => {
    const open = socket[LATEST];
    // An answer is in progress or still due for a complete request: write nothing in its place.
    const isDue = open && !open.writableFinished && (open.headersSent || open.req.complete);
    if (!socket.writable || isDue) return void socket.destroy();
    const [status, text] = BROKEN[error.code ?? ''] ?? NOT_HTTP;
    const body = JSON.stringify(text);
    const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n\r\n${body}`, () =>
      socket.destroy(),
    );
  });
}

export function refuseClient(response: ServerResponse, { status, body, headers }: Rejection): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export const DRAIN_MS = 8000;
/** Longer than the client of services keeps a connection that no call uses. */
const IDLE_MS = 2000;

/** From now on each answer closes its connection, or a client that keeps sending would hold it open. */
export function endWithAnswers(server: Server): void {
  const end = (response: ServerResponse) => {
    response.shouldKeepAlive = false;
  };
  for (const latest of latestResponses(server)) end(latest);
  server.prependListener('request', (_, response: ServerResponse) => end(response));
}

/**
 * Stops accepting, closes idle connections at once and busy ones after their answer or at the deadline.
 * @param options.callersEndIdle lets callers end their idle connections first: a call that is on its way in one that this side
 * closes would be lost
 */
export async function drain(server: Server, { callersEndIdle = false } = {}): Promise<void> {
  if (!server.listening) return;
  const begun = performance.now();
  endWithAnswers(server);
  if (callersEndIdle) await idleEnded(server);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection becomes idle only after its last answer is sent.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const left = DRAIN_MS - (performance.now() - begun);
  const deadline = setTimeout(() => server.closeAllConnections(), left);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

/** Resolves when of the connections that there are now none is idle, after `IDLE_MS` at the latest. */
async function idleEnded(server: Server): Promise<void> {
  const open = connections.get(server) ?? new Set();
  const held = [...open];
  const isIdle = (socket: Answering) =>
    open.has(socket) && (socket[LATEST] === undefined || socket[LATEST].writableFinished);
  const until = performance.now() + IDLE_MS;
  while (held.some(isIdle) && performance.now() < until) await sleep(10);
}
