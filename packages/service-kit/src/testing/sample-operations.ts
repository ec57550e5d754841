import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { defineOperation, type Operation } from '@forgelog/contracts/operation.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import {
  addItem,
  BasketClosedError,
  basketDecider,
  handlerOn,
} from '@forgelog/eventing/testing/sample-domain.ts';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  implementOperation,
  localOperations,
  type OperationImplementation,
  type Operations,
} from '../operations.ts';
import type { Principal } from '../principal.ts';
import { createExchangeTokens } from '../split/exchange-token.ts';
import { remoteOperations } from '../split/remote-operations.ts';
import { createServiceApp } from '../split/service-app.ts';
import { createServiceClient } from '../split/service-client.ts';

/* Operations on baskets, answered in this process or by servers on the loopback interface. */

export const readBasket = defineOperation({
  id: 'basket-read',
  service: 'repo',
  summary: 'What is in a basket, and who asks',
  effect: 'read',
  request: z.strictObject({ basket: z.string() }),
  answer: z.strictObject({ total: z.int(), asker: z.int().nullable() }),
});

export const fillBasket = defineOperation({
  id: 'basket-fill',
  service: 'repo',
  summary: 'Puts something into a basket',
  effect: 'write',
  request: z.strictObject({ basket: z.string(), amount: z.int() }),
  answer: z.strictObject({ eventId: z.string(), revision: z.int() }),
});

const short = {
  service: 'repo',
  summary: 'Never answers',
  request: z.strictObject({}),
  answer: z.null(),
} as const;
export const readLate = defineOperation({ ...short, id: 'late-read', effect: 'read', deadlineMs: 50 });
export const writeLate = defineOperation({ ...short, id: 'late-write', effect: 'write', deadlineMs: 50 });
export const answerOddly = defineOperation({ ...short, id: 'odd-answer', effect: 'read' });

const stream = (basket: string) => `basket-${basket}`;

/** Each process has its own cache of streams. */
export function basketOperations(store: EventStore): OperationImplementation[] {
  const commands = handlerOn(store);
  return [
    implementOperation(readBasket, async ({ request, principal }) => {
      const { state } = await commands.load(basketDecider, stream(request.basket));
      return { total: state.total, asker: principal?.userId ?? null };
    }),
    implementOperation(fillBasket, async ({ request, principal, operationId, metadata }) => {
      if (!principal) throw new Rejection('forbidden', { reason: 'nobody fills a basket' });
      const { basket, amount } = request;
      const { events } = await commands
        .handle(basketDecider, stream(basket), addItem(basket, amount), metadata, { operationId })
        .catch((error: unknown) => {
          throw error instanceof BasketClosedError ? new Rejection('conflict', {}) : error;
        });
      return { eventId: events[0]!.id, revision: events[0]!.revision };
    }),
    implementOperation(readLate, () => new Promise(() => {})),
    implementOperation(writeLate, () => new Promise(() => {})),
    implementOperation(answerOddly as Operation, async () => 'not null'),
  ];
}

export const root: Principal = {
  userId: 1,
  username: 'root',
  name: 'Administrator',
  email: 'admin@example.com',
  isAdmin: true,
  external: false,
  scopes: ['api'],
  credential: { kind: 'personal_access_token', id: 1 },
  onBehalfBy: null,
};

export const tokens = createExchangeTokens({ secretKey: 'k'.repeat(32), clock: () => new Date() });

export const inOneProcess = (store: EventStore): Operations => {
  const implementations = basketOperations(store);
  return localOperations((service) => (service === 'repo' ? implementations : undefined));
};

/** A server of the operations that ends with the test. `before` may answer instead, or close the connection. */
export async function serveOperations(
  store: EventStore,
  before: (request: IncomingMessage, response: ServerResponse) => void = () => {},
): Promise<string> {
  const app = createServiceApp({
    service: 'repo',
    endpoints: [],
    tokens,
    dispatch: () => {},
    caughtUp: async () => {},
    health: () => false,
    authorizer: { project: () => undefined, group: async () => undefined },
    operations: basketOperations(store),
    giveCopy: async () => {},
    log: { error() {} } as never,
  });
  const server = createServer((request, response) => {
    before(request, response);
    app(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function askingAt(urls: readonly string[]): Operations {
  const client = createServiceClient({ tokens, restartMs: 200 });
  onTestFinished(() => client.close());
  return remoteOperations({ client, urlsOf: () => urls, position: () => '' });
}
