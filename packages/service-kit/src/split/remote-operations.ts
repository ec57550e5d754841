import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Operation, RequestOf } from '@forgelog/contracts/operation.ts';
import type { EventMetadata, Position } from '@forgelog/eventing/event.ts';
import {
  type Asking,
  beforeEnd,
  lateAnswer,
  noAnswer,
  type Operations,
  parseContract,
} from '../operations.ts';
import { digestOf, type ExchangeClaims } from './exchange-token.ts';
import { type ServiceClient, wholeBody } from './service-client.ts';

const MAX_ANSWER = 64 * 1024 * 1024;

export function remoteOperations(ports: {
  client: ServiceClient;
  /** The instances that can answer, tried in this order. @throws Rejection `unavailable` where there is none */
  urlsOf: <O extends Operation>(
    operation: O,
    request: RequestOf<O>,
  ) => readonly string[] | Promise<readonly string[]>;
  /** The answer must reflect the log at least up to here. */
  position: () => Position;
}): Operations {
  const { client, urlsOf, position } = ports;

  function claimsOf<O extends Operation>(operation: O, body: Buffer, asking: Asking<O>): ExchangeClaims {
    const { principal, operationId, metadata } = asking as Asking<O> & {
      operationId?: string;
      metadata?: EventMetadata;
    };
    return {
      kind: 'operation',
      operation: operation.id,
      request: digestOf(body),
      principal: principal && { ...principal, scopes: [...principal.scopes] },
      write: operationId === undefined ? null : { operationId, metadata: metadata! },
      position: position(),
    };
  }

  return {
    async call(operation, request, asking) {
      const { service, effect } = operation;
      const body = Buffer.from(JSON.stringify(parseContract(operation, 'request', request)));
      const signal = AbortSignal.timeout(operation.deadlineMs);
      const ask = async (url: string, waits: boolean) => {
        if (signal.aborted) throw lateAnswer(operation);
        const incoming = await client.call({
          service,
          url,
          method: 'POST',
          target: `/operations/${operation.id}`,
          headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
          claims: claimsOf(operation, body, asking),
          body,
          signal,
          repeatable: effect === 'read',
          waits,
        });
        return wholeBody(incoming, MAX_ANSWER, operation.deadlineMs).catch(() => {
          throw noAnswer(operation, 'broke off');
        });
      };
      const answered = firstDefinite(await urlsOf(operation, request), ask);
      const answer = await beforeEnd(signal, answered, () => lateAnswer(operation));
      return parseContract(operation, 'answer', JSON.parse(answer.toString('utf8')));
    },
  };
}

/**
 * Tries the instances in order, then the first once more. A write is safe to retry, because its id makes it
 * idempotent.
 * @throws the refusal with the least certain outcome
 */
async function firstDefinite<Answer>(
  urls: readonly string[],
  ask: (url: string, waits: boolean) => Promise<Answer>,
): Promise<Answer> {
  let open: Rejection | undefined;
  const tries = [...urls, urls[0]!];
  for (const [at, url] of tries.entries()) {
    try {
      return await ask(url, at === tries.length - 1);
    } catch (error) {
      if (!(error instanceof Rejection && error.code === 'unavailable')) throw error;
      if (!open || 'Retry-After' in open.headers) open = error;
    }
  }
  throw open;
}
