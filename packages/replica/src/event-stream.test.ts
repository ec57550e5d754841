import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Batch, readEvents } from './event-stream.ts';
import { createRestApi, type RestApi } from './rest-api.ts';

/** A server that answers the event stream so. */
async function serving(answer: (response: ServerResponse, url: string) => void): Promise<RestApi> {
  const server = createServer((request, response) => answer(response, request.url!));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return createRestApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, 'token');
}

async function all(api: RestApi, after: string | null = null): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of readEvents(api, after, new AbortController().signal)) batches.push(batch);
  return batches;
}

const sent = (position: string) => `id: ${position}\nevent: A\ndata: ${JSON.stringify({ position })}\n\n`;

test('events arrive in order, wherever the network cuts them', async () => {
  const text = `: Forgelog event stream\n\n${['1', 'é', '3'].map(sent).join('')}`;
  const bytes = Buffer.from(text);
  for (const cut of [1, 40, 66, 67, bytes.length - 1]) {
    const api = await serving((response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(bytes.subarray(0, cut));
      setTimeout(() => response.end(bytes.subarray(cut)), 5);
    });
    const events = (await all(api)).flatMap((batch) => batch.events);
    expect(events.map(({ position }) => position)).toEqual(['1', 'é', '3']);
  }
});

test('an event that was cut off is not there', async () => {
  const api = await serving((response) => response.end(sent('1') + sent('2').slice(0, -3)));
  const events = (await all(api)).flatMap((batch) => batch.events);
  expect(events.map(({ position }) => position)).toEqual(['1']);
});

test('many events come in several batches, and the mark of the end with the last', async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => sent(String(index))).join('');
  const api = await serving((response) => response.end(`${lines}event: caught_up\ndata: {}\n\n`));
  const batches = await all(api);
  expect(batches.length).toBeGreaterThan(2);
  expect(batches.flatMap(({ events }) => events)).toHaveLength(5_000);
  expect(batches.map(({ hasCaughtUp }) => hasCaughtUp).lastIndexOf(false)).toBeLessThan(batches.length - 1);
});

test('the position is sent as it was given', async () => {
  let asked = '';
  const api = await serving((response, url) => {
    asked = url;
    response.end();
  });
  await all(api, 'p6d-1 &2');
  expect(new URL(asked, 'http://server').searchParams.get('after')).toBe('p6d-1 &2');
});

test.each([
  [410, /restored from a backup/],
  [409, /another server/],
  [401, /The token must be an administrator's/],
  [400, /answered 400: no position/],
])('%i is told to people', async (status, told) => {
  const api = await serving((response) => response.writeHead(status).end('no position'));
  await expect(all(api)).rejects.toThrow(told);
});
