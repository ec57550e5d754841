import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createExchangeTokens } from './exchange-token.ts';
import { REFUSED, sendRefusal } from './service-app.ts';
import { createServiceClient, type ServiceCall } from './service-client.ts';

const tokens = createExchangeTokens({ secretKey: 'k'.repeat(32), clock: () => new Date() });

function clientOf(options: { answerMs?: number } = {}) {
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
const AGAIN = { status: 503, headers: { 'Retry-After': '2' } };

test('an unreachable service may be retried, for a write too', async () => {
  const { url } = await serveSockets(() => {});
  const nobody = url.replace(/\d+$/, '1');
  expect(await refusalOf(clientOf().call(reading(nobody)))).toMatchObject(AGAIN);
  expect(await refusalOf(clientOf().call(writing(nobody)))).toMatchObject(AGAIN);
});

test('a write that may have happened is neither retried nor reported as retryable', async () => {
  const { url, count } = await serveSockets((socket) => socket.destroy());
  const refusal = await refusalOf(clientOf().call(writing(url)));
  expect(refusal).toMatchObject({ status: 503, headers: {} });
  expect(refusal.headers).not.toHaveProperty('Retry-After');
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
