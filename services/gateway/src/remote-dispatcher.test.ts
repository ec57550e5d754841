import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { createExchangeTokens } from '@forgelog/service-kit/split/exchange-token.ts';
import { createServiceClient } from '@forgelog/service-kit/split/service-client.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createRemoteDispatcher } from './remote-dispatcher.ts';

const tokens = createExchangeTokens({ secretKey: 'k'.repeat(32), clock: () => new Date() });
const endpoint = endpoints.find(({ service }) => service === 'tracker')!;

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The address of a gateway that sends everything on to a service. */
async function gatewayBefore(service: RequestListener): Promise<string> {
  const url = await listen(service);
  const client = createServiceClient({ tokens });
  onTestFinished(() => client.close());
  const dispatch = createRemoteDispatcher({
    client,
    own: () => expect.unreachable('it is the service that answers'),
    destination: async () => ({ urls: [url] }),
    position: () => '0',
  });
  return listen((request, response) => {
    const origin = { requestId: 'one', clientAddress: null };
    const path = request.url!;
    void dispatch({
      ...{ request, response, endpoint, pathParams: {}, path, search: '' },
      ...{ principal: null, position: '0', origin },
    });
  });
}

test.each([0, 1, 65_536, 65_537, 3_000_000])('an answer of %i bytes arrives whole', async (length) => {
  const body = Buffer.alloc(length, 'x');
  const url = await gatewayBefore((_, response) => {
    response.writeHead(200, { 'Content-Length': length, 'X-Own': 'kept' }).end(body);
  });
  const answer = await fetch(url);
  expect(answer.headers.get('x-own')).toBe('kept');
  expect(answer.headers.get('x-request-id')).toBe('one');
  expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
});

test('the answer to HEAD has the length and no body', async () => {
  const url = await gatewayBefore((_, response) => {
    response.writeHead(200, { 'Content-Length': 12 }).end();
  });
  const answer = await fetch(url, { method: 'HEAD' });
  expect(answer.headers.get('content-length')).toBe('12');
});

test.each([10, 3_000_000])('half of an answer of %i bytes is not taken for a whole one', async (length) => {
  const url = await gatewayBefore((_, response) => {
    response.writeHead(200, { 'Content-Length': length });
    response.write('half', () => response.destroy());
  });
  await expect(fetch(url).then((answer) => answer.arrayBuffer())).rejects.toThrow();
});
