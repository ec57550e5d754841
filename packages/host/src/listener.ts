import { type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorTable } from '@forgelog/contracts/error-table.ts';
import type { Rejection } from '@forgelog/contracts/errors.ts';
import { type Configuration, ConfigurationError } from '@forgelog/service-kit/configuration.ts';

/**
 * How a server treats what it receives: a request that announces no body is given none, so that nothing waits for the
 * end of one, which costs a small answer 2 µs.
 */
export const HTTP: Pick<ServerOptions, 'optimizeEmptyRequests'> = { optimizeEmptyRequests: true };

/** The answer that was begun last on a connection; kept on it, because a map of connections costs each request more. */
const LATEST = Symbol('latest answer');
type Answering = Duplex & { [LATEST]?: ServerResponse };

const connections = new WeakMap<Server, Set<Answering>>();

/** Of each open connection the response that was begun last; see `listen`. */
export function* latestResponses(server: Server): Generator<ServerResponse> {
  for (const { [LATEST]: latest } of connections.get(server) ?? []) if (latest) yield latest;
}

/** Binds the server and gives its address. @throws ConfigurationError when the address cannot be had */
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

/** What the parser calls what it cannot read: status and words. Everything else is no HTTP. */
const BROKEN: Readonly<Record<string, readonly [status: number, text: object]>> = {
  HPE_HEADER_OVERFLOW: [431, errorTable.head_too_large.body(undefined)],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, { error: 'The extensions of a chunk are too large' }],
  ERR_HTTP_REQUEST_TIMEOUT: [408, { error: 'The request took too long to arrive' }],
};
const NO_HTTP = [400, { error: 'The request cannot be read as HTTP' }] as const;

/** Refuses what never becomes a request in the form of every other refusal, and ends its connection; see `listen`. */
export function refuseBroken(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Answering) => {
    const open = socket[LATEST];
    // An answer is under way, or still due for a request that came whole: nothing may come in its place.
    const isDue = open && !open.writableFinished && (open.headersSent || open.req.complete);
    if (!socket.writable || isDue) return void socket.destroy();
    const [status, text] = BROKEN[error.code ?? ''] ?? NO_HTTP;
    const body = JSON.stringify(text);
    const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n\r\n${body}`, () =>
      socket.destroy(),
    );
  });
}

/** Refuses a client's request whose own handler cannot. */
export function refuseClient(response: ServerResponse, { status, body, headers }: Rejection): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** How long open connections may take to end. */
export const DRAIN_MS = 8000;

/**
 * No new connections; idle ones close at once, busy ones when their answer is out or the time is up. Each answer says
 * that it is the last one of its connection: who sends request after request would keep it open else.
 */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  const endWith = (response: ServerResponse) => {
    response.shouldKeepAlive = false;
  };
  for (const latest of latestResponses(server)) endWith(latest);
  server.prependListener('request', (_, response: ServerResponse) => endWith(response));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose last answer is out is idle again only then.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
