import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createExchangeTokens } from './exchange-token.ts';
import { createOutages, type Outages } from './outages.ts';
import { NOT_READY, REFUSED, sendRefusal } from './service-app.ts';
import { createServiceClient, type ServiceCall } from './service-client.ts';

const tokens = createExchangeTokens({ secretKey: 'k'.repeat(32), clock: () => new Date() });

function clientOf(options: { answerMs?: number; outages?: Outages } = {}) {
  const client = createServiceClient({ tokens, ...options });
  onTestFinished(() => client.close());
  return client;
}

async function serve(listener: RequestListener) {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Accepts connections and answers each as the test says. */
async function serveSockets(onRequest: (socket: Socket, count: number) => void) {
  let count = 0;
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      count += 1;
      onRequest(socket, count);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count };
}

const reading = (url: string, more: Partial<ServiceCall> = {}): ServiceCall => ({
  service: 'repo',
  url,
  method: 'GET',
  target: '/there?a=1',
  claims: { kind: 'operation', operation: 'any', request: '', principal: null, write: null, position: '' },
  repeatable: true,
  waits: false,
  ...more,
});
const writing = (url: string, more: Partial<ServiceCall> = {}) =>
  reading(url, { method: 'POST', body: Buffer.from('{}'), repeatable: false, ...more });

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('it was answered');
    },
    (error: Rejection) => ({ status: error.status, headers: error.headers, body: error.body }),
  );
const GO_ON = 'HTTP/1.1 100 Continue\r\n\r\n';
const AGAIN = { status: 503, headers: { 'Retry-After': '2' } };

test('an unreachable service may be retried, for a write too', async () => {
  const { url } = await serveSockets(() => {});
  const nobody = url.replace(/\d+$/, '1');
  expect(await refusalOf(clientOf().call(reading(nobody)))).toMatchObject(AGAIN);
  expect(await refusalOf(clientOf().call(writing(nobody)))).toMatchObject(AGAIN);
});

test.each([Buffer.from('{}'), undefined])(
  'a write that may have happened is neither retried nor reported as retryable (body %s)',
  async (body) => {
    const { url, count } = await serveSockets((socket, part) =>
      part === 1 ? socket.write(GO_ON) : socket.destroy(),
    );
    const refusal = await refusalOf(clientOf().call(writing(url, { body, waits: true })));
    expect(refusal).toMatchObject({ status: 503, headers: {} });
    expect(refusal.headers).not.toHaveProperty('Retry-After');
    expect(count()).toBe(2);
  },
);

test('a write whose new connection broke before it was let go on is made again, with its body', async () => {
  let tries = 0;
  const bodies: string[] = [];
  const url = await serve(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    response.end();
  });
  const { url: door } = await serveSockets((socket) => {
    tries += 1;
    socket.resetAndDestroy();
  });
  for (const body of [Buffer.from('{"a":1}'), new PassThrough().end('streamed')]) {
    const client = clientOf();
    const refusal = await refusalOf(client.call(writing(door, { body })));
    expect(refusal).toMatchObject(AGAIN);
    expect((await client.call(writing(url, { body }))).statusCode).toBe(200);
  }
  expect(tries).toBe(2);
  expect(bodies).toEqual(['{"a":1}', 'streamed']);
});

/** A service that is away, and then not ready, and then answers with the body. */
async function restarting() {
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  let isReady = false;
  const met = { notReady: 0, answered: 0 };
  const server = createServer(async (request, response) => {
    if (request.url === '/-/readiness') return void response.writeHead(isReady ? 200 : 503).end();
    if (!isReady) {
      met.notReady += 1;
      response.shouldKeepAlive = false;
      return sendRefusal(response, new Rejection('unavailable', { reason: 'starting' }), NOT_READY);
    }
    met.answered += 1;
    response.end(Buffer.concat(await request.toArray()));
  });
  server.on('checkContinue', (request, response) => {
    if (isReady) response.writeContinue();
    server.emit('request', request, response);
  });
  const { url } = await serveSockets(() => {});
  const port = Number(new URL(url).port) + 1;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    met,
    listening,
    listen: () => server.listen(port, '127.0.0.1', resolve),
    ready() {
      isReady = true;
    },
  };
}

test('calls wait for a service that restarts, with their bodies', async () => {
  const service = await restarting();
  const client = clientOf();
  const body = new PassThrough();
  body.end('streamed');
  const calls = [
    client.call(reading(service.url, { waits: true })),
    client.call(writing(service.url, { waits: true })),
    client.call(writing(service.url, { waits: true, body })),
    client.call(writing(service.url, { waits: true, body: undefined })),
  ];
  await expect.poll(client.waiting).toBe(4);
  service.listen();
  await service.listening;
  // Who does not wait is told that the service starts.
  expect(await refusalOf(client.call(writing(service.url)))).toMatchObject({ status: 503 });
  expect(service.met.answered).toBe(0);
  service.ready();
  const texts = await Promise.all(
    calls.map(async (call) => Buffer.concat(await (await call).toArray()).toString()),
  );
  expect(texts).toEqual(['', '{}', 'streamed', '']);
  expect(service.met.answered).toBe(4);
});

test('a service that stays away is waited for once, and so many wait at most', async () => {
  const { url } = await restarting();
  const client = clientOf({ outages: createOutages({ waitMs: 300, maxWaiting: 2 }) });
  const call = () => refusalOf(client.call(writing(url, { waits: true })));
  const waiting = [call(), call()];
  await expect.poll(client.waiting).toBe(2);
  expect(await call()).toMatchObject(AGAIN);
  expect(client.waiting()).toBe(2);
  for (const refusal of await Promise.all(waiting)) expect(refusal).toMatchObject(AGAIN);
  const begun = performance.now();
  expect(await call()).toMatchObject(AGAIN);
  expect(performance.now() - begun).toBeLessThan(250);
});

test('a caller who leaves stops waiting', async () => {
  const { url } = await restarting();
  const client = clientOf();
  const abort = new AbortController();
  const call = refusalOf(client.call(writing(url, { waits: true, signal: abort.signal })));
  await expect.poll(client.waiting).toBe(1);
  abort.abort();
  await call;
  expect(client.waiting()).toBe(0);
});

test('a read that breaks off again and again is given up', async () => {
  const { url, count } = await serveSockets((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  const { url: broken, count: tries } = await serveSockets((socket) => socket.resetAndDestroy());
  const outages = { over: async () => true, answered() {}, waiting: () => 0 };
  expect(await refusalOf(clientOf({ outages }).call(reading(broken, { waits: true })))).toMatchObject(AGAIN);
  expect(tries()).toBe(3);
  expect((await clientOf().call(reading(url))).statusCode).toBe(200);
  expect(count()).toBe(1);
});

test('on a stale connection a read is retried, a write is not', async () => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok';
  for (const { call, requests, answered } of [
    { call: reading, requests: 3, answered: true },
    { call: writing, requests: 2, answered: false },
  ]) {
    const { url, count } = await serveSockets((socket, request) =>
      request === 2 ? socket.resetAndDestroy() : socket.write(ok),
    );
    const client = clientOf();
    const first = await client.call(reading(url));
    await first.resume().toArray();
    await new Promise((resolve) => setImmediate(resolve));
    const second = client.call(call(url));
    if (answered) expect((await second).statusCode).toBe(200);
    else expect(await refusalOf(second)).toMatchObject({ status: 503 });
    expect(count()).toBe(requests);
  }
});

test('a slow answer times out', async () => {
  const url = await serve(() => {});
  const client = clientOf({ answerMs: 50 });
  expect(await refusalOf(client.call(reading(url)))).toMatchObject(AGAIN);
  expect((await refusalOf(client.call(writing(url)))).headers).toEqual({});
});

test("a proxy's error page becomes a refusal of Forgelog", async () => {
  for (const status of [502, 503, 504]) {
    const url = await serve((_, response) =>
      response.writeHead(status, { 'Content-Type': 'text/html' }).end('<p>'),
    );
    expect(await refusalOf(clientOf().call(reading(url)))).toMatchObject(AGAIN);
    expect((await refusalOf(clientOf().call(writing(url)))).headers).toEqual({});
  }
  const own = await serve((_, response) =>
    response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '7' }).end('{}'),
  );
  expect((await clientOf().call(reading(own))).headers['retry-after']).toBe('7');
});

test('the URL is forwarded unchanged, the body as a stream', async () => {
  const seen: string[] = [];
  const url = await serve(async (request, response) => {
    seen.push(request.url!);
    for await (const piece of request) response.write(piece);
    response.end();
  });
  const body = new PassThrough();
  body.write('one');
  const answer = await clientOf().call(
    writing(url, { target: '/a%2Fb/../c?x=%zz', body, headers: { 'Transfer-Encoding': 'chunked' } }),
  );
  const pieces: AsyncIterator<Buffer> = answer[Symbol.asyncIterator]();
  expect(String((await pieces.next()).value)).toBe('one');
  body.end('two');
  expect(String((await pieces.next()).value)).toBe('two');
  expect((await pieces.next()).done).toBe(true);
  expect(seen).toEqual(['/a%2Fb/../c?x=%zz']);
});

test('a caller that disconnects aborts the call', async () => {
  const closed = vi.fn();
  const arrived = Promise.withResolvers<void>();
  const url = await serve((_, response) => {
    response.once('close', closed);
    arrived.resolve();
  });
  const abort = new AbortController();
  const call = clientOf().call(reading(url, { signal: abort.signal }));
  const ended = expect(call).rejects.toThrow();
  await arrived.promise;
  abort.abort();
  await ended;
  await expect.poll(() => closed).toHaveBeenCalled();
});

test('a body that breaks off aborts the call and never looks complete', async () => {
  const whole = vi.fn();
  const begun = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<void>();
  const url = await serve((request) => {
    request.on('end', whole).on('error', () => broken.resolve());
    request.on('data', () => begun.resolve());
  });
  const body = new PassThrough();
  body.write('half');
  const call = refusalOf(
    clientOf().call(writing(url, { body, headers: { 'Transfer-Encoding': 'chunked' } })),
  );
  await begun.promise;
  body.destroy(new Error('gone'));
  expect((await call).status).toBe(503);
  await broken.promise;
  expect(whole).not.toHaveBeenCalled();
});

test('a body that failed before the connection prevents the call', async () => {
  const called = vi.fn();
  const url = await serve(called);
  const body = new PassThrough();
  const call = refusalOf(clientOf().call(writing(url, { body })));
  body.destroy(new Error('gone'));
  expect(await call).toMatchObject(AGAIN);
  expect(called).not.toHaveBeenCalled();
});

test('a refusal without its body counts as no answer', async () => {
  const url = await serve((_, response) => {
    response.writeHead(404, { [REFUSED]: '1', 'Content-Length': 100 });
    response.write('{');
  });
  expect(await refusalOf(clientOf({ answerMs: 50 }).call(reading(url)))).toMatchObject(AGAIN);
});

test('a service that refuses the signature is no 401 for the caller, and the refusal says what to compare', async () => {
  const url = await serve((_, response) => sendRefusal(response, new Rejection('unauthorized')));
  const refusal = await refusalOf(clientOf().call(reading(url)));
  expect(refusal).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  expect(JSON.stringify(refusal.body)).toContain('SECRET_KEY');
});

test('the refusal of a service that is away has the cause for the log', async () => {
  const refusal = await clientOf()
    .call(reading('http://127.0.0.1:9'))
    .catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 503, cause: { code: 'ECONNREFUSED' } });
});

test('a refusal that this version does not know counts as no answer', async () => {
  const body = JSON.stringify({ code: 'of_the_next_version', headers: {} });
  const url = await serve((_, response) => response.writeHead(400, { [REFUSED]: '1' }).end(body));
  expect(await refusalOf(clientOf().call(reading(url)))).toMatchObject(AGAIN);
});
