import type { ServerResponse } from 'node:http';
import type { Rejection } from '@forgelog/contracts/errors.ts';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { expect, test } from 'vitest';
import type { Operations } from '../operations.ts';
import {
  askingAt,
  fillBasket,
  readBasket,
  root,
  serveOperations,
  tokens,
} from '../testing/sample-operations.ts';
import { digestOf, EXCHANGE_HEADER, type ExchangeClaims } from './exchange-token.ts';

/* Cases of services that run apart: lost answers, and forged requests. */

const fill = (operations: Operations, operationId = newEventId()) =>
  operations.call(
    fillBasket,
    { basket: '1', amount: 2 },
    { principal: root, operationId, metadata: SYSTEM_METADATA },
  );

/** Closes the connection instead of answering, after the operation was done. */
function loseAnswer(response: ServerResponse): void {
  response.end = () => response.destroy();
}

test('a write whose answer is lost is retried, done once, and answered', async () => {
  const store = openMemoryEventStore();
  let requests = 0;
  const url = await serveOperations(store, (_, response) => {
    requests += 1;
    if (requests === 1) loseAnswer(response);
  });
  const answer = await fill(askingAt([url]));
  const events = await store.readStream('basket-1');
  expect(events.map(({ id, revision }) => ({ eventId: id, revision }))).toEqual([answer]);
  expect(requests).toBe(2);
});

test('a write whose answer one instance loses is answered by the next, done once', async () => {
  const store = openMemoryEventStore();
  const losing = await serveOperations(store, (_, response) => loseAnswer(response));
  const other = await serveOperations(store);
  const answer = await fill(askingAt([losing, other]));
  expect(await fill(askingAt([other]))).not.toEqual(answer);
  expect(await store.readStream('basket-1')).toHaveLength(2);
});

test('a write whose answers are all lost is reported as unknown; its id gives the answer later', async () => {
  const store = openMemoryEventStore();
  const losing = await serveOperations(store, (_, response) => loseAnswer(response));
  const operationId = newEventId();
  const refusal: Rejection = await fill(askingAt([losing]), operationId).then(
    () => expect.unreachable(),
    (error) => error,
  );
  expect(refusal).toMatchObject({ code: 'unavailable', headers: {} });
  expect(refusal.details).toMatchObject({ reason: expect.stringContaining('not known') });
  const [event] = await store.readStream('basket-1');
  const answer = await fill(askingAt([await serveOperations(store)]), operationId);
  expect(answer).toEqual({ eventId: event!.id, revision: 0 });
  expect(await store.readStream('basket-1')).toHaveLength(1);
});

test('a partial answer is retried', async () => {
  const store = openMemoryEventStore();
  let requests = 0;
  const url = await serveOperations(store, (_, response) => {
    requests += 1;
    if (requests > 1) return;
    response.end = () => {
      response.write('{', () => response.destroy());
      return response;
    };
  });
  expect(await fill(askingAt([url]))).toMatchObject({ revision: 0 });
  expect(requests).toBe(2);
  expect(await store.readStream('basket-1')).toHaveLength(1);
});

test('an operation that reaches no instance is retryable, a write too', async () => {
  const nobody = 'http://127.0.0.1:1';
  for (const call of [
    fill(askingAt([nobody])),
    askingAt([nobody]).call(readBasket, { basket: '1' }, { principal: null }),
  ])
    await expect(call).rejects.toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '2' } });
});

test('a token is valid only for the signed request and principal', async () => {
  const store = openMemoryEventStore();
  const url = await serveOperations(store);
  const body = JSON.stringify({ basket: '1', amount: 2 });
  const signed = (more: object = {}) =>
    ({
      kind: 'operation',
      operation: fillBasket.id,
      request: digestOf(Buffer.from(body)),
      principal: null,
      write: { operationId: newEventId(), metadata: SYSTEM_METADATA },
      position: '',
      ...more,
    }) as ExchangeClaims;
  const ask = async (claims: ExchangeClaims, sent: string) => {
    const headers = { [EXCHANGE_HEADER]: tokens.sign(claims, 'repo') };
    const response = await fetch(`${url}/operations/any`, { method: 'POST', headers, body: sent });
    return { status: response.status, body: await response.text() };
  };
  const mallory = JSON.stringify({ basket: '1', amount: 2, principal: root });
  expect((await ask(signed(), body)).status).toBe(403);
  expect((await ask(signed(), mallory)).status).toBe(401);
  expect((await ask(signed({ principal: root }), JSON.stringify({ basket: '1', amount: 9 }))).status).toBe(
    401,
  );
  expect((await ask(signed({ principal: root, write: null }), body)).status).toBe(404);
  expect((await ask(signed({ operation: 'unheard-of' }), body)).status).toBe(404);
  expect((await ask(signed({ operation: readBasket.id }), body)).status).toBe(404);
  expect(await store.readStream('basket-1')).toEqual([]);
  const again = signed({ principal: root });
  const answers = [await ask(again, body), await ask(again, body)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]).toEqual(answers[1]);
  expect(await store.readStream('basket-1')).toHaveLength(1);
});

test('a malformed request is refused and logged, and has no effect', async () => {
  const store = openMemoryEventStore();
  const url = await serveOperations(store);
  for (const body of ['{', '[]', '{"basket":"1","amount":2,"more":1}']) {
    const claims: ExchangeClaims = {
      kind: 'operation',
      operation: fillBasket.id,
      request: digestOf(Buffer.from(body)),
      principal: { ...root, scopes: ['api'] },
      write: { operationId: newEventId(), metadata: SYSTEM_METADATA },
      position: '',
    };
    const headers = { [EXCHANGE_HEADER]: tokens.sign(claims, 'repo') };
    expect((await fetch(`${url}/operations/any`, { method: 'POST', headers, body })).status).toBe(500);
  }
  expect(await store.readStream('basket-1')).toEqual([]);
});
