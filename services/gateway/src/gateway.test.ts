import { once } from 'node:events';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { createMetrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import type { RequestHandler } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { NO_ACCESS_LOG } from './access-log/access-log.ts';
import { createApplication } from './application.ts';
import { createGateway, type GatewayPorts } from './gateway.ts';

const endpoint = {
  id: 'thing',
  service: 'gateway',
  method: 'GET',
  path: '/thing',
  tier: 'free',
  access: { kind: 'anyone' },
};

/** A gateway over a socket, with one endpoint behind the given middleware. */
async function startGateway(...middleware: RequestHandler[]): Promise<string> {
  const { app, messages } = createApplication();
  for (const one of middleware) app.use(one);
  const ports: Partial<GatewayPorts> = {
    app,
    endpoints: [endpoint as AnyEndpoint],
    edition: 'free',
    barrier: () => '0',
    authentication: { authenticate: () => null } as unknown as GatewayPorts['authentication'],
    throttles: { admit: () => undefined },
    // Cached answers are sent like this: all headers at once, as a list.
    dispatch: ({ response, origin }) =>
      void response.writeHead(200, ['X-Request-Id', origin.requestId]).end('a thing'),
    accessLog: NO_ACCESS_LOG,
    now: () => 0,
    signIns: {} as GatewayPorts['signIns'],
    pages: () => false,
    git: (_request, _response, next) => next(),
    oauth: (_request, _response, next) => next(),
    clientAddressOf: () => null,
    log: createLogger({ LOG_LEVEL: 'silent' }),
    telemetry: { metrics: createMetrics() },
  };
  return serve({ ...messages, optimizeEmptyRequests: true }, createGateway(ports as GatewayPorts));
}

async function serve(options: ServerOptions, listener: RequestListener): Promise<string> {
  const server = createServer(options, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a path that only starts like an API path is not served by the API', async () => {
  const address = await startGateway();
  const asked = (path: string) => fetch(`${address}${path}`, { headers: { Origin: 'http://elsewhere' } });
  const [thing, none] = await Promise.all([asked('/api/v4/thing'), asked('/api/v4thing')]);
  expect([thing.status, thing.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  expect([none.status, none.headers.get('access-control-allow-origin')]).toEqual([404, null]);
});

test('middleware sees Express requests and responses, and can add headers to every answer', async () => {
  const seen: unknown[] = [];
  const address = await startGateway((request, response, next) => {
    const { ip, protocol, path, query } = request;
    seen.push({ ip, protocol, path, query: { ...query } });
    response.set('X-Front', 'was here');
    if (query.login !== undefined) response.status(302).location('/login').json({ moved: true });
    else next();
  });
  const thing = await fetch(`${address}/api/v4/thing?a=1`);
  expect([thing.status, await thing.text()]).toEqual([200, 'a thing']);
  const page = await fetch(`${address}/-/docs`);
  const unknown = await fetch(`${address}/api/v4/nothing`);
  for (const answer of [thing, page, unknown]) {
    expect(answer.headers.get('x-front')).toBe('was here');
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    expect(answer.headers.get('x-powered-by')).toBeNull();
  }
  const login = await fetch(`${address}/api/v4/thing?login`, { redirect: 'manual' });
  expect([login.status, login.headers.get('location')]).toEqual([302, '/login']);
  const client = { ip: '127.0.0.1', protocol: 'http' };
  expect(seen[0]).toEqual({ ...client, path: '/api/v4/thing', query: { a: '1' } });
});

test('a refusal of middleware reaches the caller in its words, and a crash does not leak its message', async () => {
  const address = await startGateway((request, _response, next) => {
    if (request.query.refuse === undefined) throw new Error('the secret inside');
    next(Object.assign(new Error('Sign in first'), { status: 401, expose: true }));
  });
  const refused = await fetch(`${address}/api/v4/thing?refuse`);
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'Sign in first' }]);
  const broken = await fetch(`${address}/api/v4/thing`);
  expect([broken.status, await broken.json()]).toEqual([500, { message: '500 Internal Server Error' }]);
});

test('requests and responses already have the prototypes Express would set', async () => {
  const { app, messages } = createApplication();
  const before: unknown[] = [];
  const after: unknown[] = [];
  app.use((request, response) => {
    after.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    response.end();
  });
  const address = await serve(messages, (request, response) => {
    before.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    app(request, response);
  });
  await fetch(address);
  expect(after).toEqual(before);
  expect(after.map((prototype, at) => prototype === before[at])).toEqual([true, true]);
});

test.each([
  ['GET http://evil.example/api/v4/thing', 404],
  ['GET http://evil.example:x/api/v4/thing', 404],
  ['GET /API/V4/thing', 404],
  ['GET /api/v4/%', 404],
  ['GET /api/v4/thing/%ff', 404],
  ['GET /%', 404],
  ['GET /api%2Fv4/thing', 404],
  ['GET /api/v4/thing?%', 200],
])('%s answers %i and no page of Express', async (line, status) => {
  const { port, hostname } = new URL(await startGateway());
  const socket = connect(Number(port), hostname);
  socket.write(`${line} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
  const said = await text(socket);
  expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(said).toMatch(/^X-Request-Id: [\w-]{8,}/im);
  expect(said).not.toMatch(/<html|Cannot GET/i);
});
