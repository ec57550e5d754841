import type { Rejection } from '@forgelog/contracts/errors.ts';
import type { AnswerOf, AskedService, Operation, RequestOf } from '@forgelog/contracts/operation.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { z } from 'zod';
import type { Principal } from './principal.ts';
import { unavailable } from './unavailable.ts';

export type Asking<O extends Operation> = { principal: Principal | null } & (O['effect'] extends 'write'
  ? WriteAsking
  : unknown);

export interface WriteAsking {
  /** A UUID chosen by the caller: a repeated call with the same id has no further effect. */
  operationId: string;
  metadata: EventMetadata;
}

/** Port: calls between services. A service never imports another. */
export interface Operations {
  /**
   * @throws Rejection of the answering service, or `unavailable`: with Retry-After where nothing has happened,
   * without it where a write may have been done
   */
  call<O extends Operation>(operation: O, request: RequestOf<O>, asking: Asking<O>): Promise<AnswerOf<O>>;
}

export type Asked<O extends Operation> = Asking<O> & {
  request: RequestOf<O>;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
};

/** An operation with its handler, which checks the principal's rights itself. */
export interface OperationImplementation {
  operation: Operation;
  answer(asked: Asked<Operation>): Promise<unknown>;
}

export function implementOperation<O extends Operation>(
  operation: O,
  answer: (asked: Asked<O>) => Promise<AnswerOf<O>>,
): OperationImplementation {
  return { operation, answer: answer as OperationImplementation['answer'] };
}

export type OperationsOf = (service: AskedService) => readonly OperationImplementation[] | undefined;

/** Calls services of this process, through the same schemas as over the network. */
export function localOperations(implementationsOf: OperationsOf): Operations {
  return {
    async call(operation, request, asking) {
      const found = implementationsOf(operation.service)?.find((each) => each.operation.id === operation.id);
      if (!found)
        throw new Error(`operation ${operation.id}: ${operation.service} does not run in this process`);
      const signal = AbortSignal.timeout(operation.deadlineMs);
      return beforeEnd(signal, answerOperation(found, request, { ...asking, signal }), () =>
        lateAnswer(operation),
      );
    },
  };
}

export async function answerOperation<O extends Operation>(
  { operation, answer }: OperationImplementation,
  request: unknown,
  asking: Asking<O> & { signal: AbortSignal },
): Promise<AnswerOf<O>> {
  const parsed = parseContract(operation, 'request', request);
  const answered = await answer({ ...asking, request: parsed } as Asked<Operation>);
  return parseContract<Operation, 'answer'>(operation, 'answer', answered) as AnswerOf<O>;
}

/** @throws Error on a breach of the contract, a defect of one of the two services */
export function parseContract<O extends Operation, Part extends 'request' | 'answer'>(
  operation: O,
  part: Part,
  value: unknown,
): z.output<O[Part]> {
  const parsed = operation[part].safeParse(value);
  if (parsed.success) return parsed.data as z.output<O[Part]>;
  throw new Error(`operation ${operation.id}: the ${part} breaks its contract`, { cause: parsed.error });
}

/** The refusal for a missing answer. A write may have been done: only a retry with the same id is safe. */
export function noAnswer({ service, effect }: Operation, what: string): Rejection {
  if (effect === 'read') return unavailable(`the ${service} service ${what}`, 2);
  return unavailable(`the ${service} service ${what}; whether the change was made is not known`, null);
}

export const lateAnswer = (operation: Operation): Rejection =>
  noAnswer(operation, `did not answer within ${operation.deadlineMs / 1000} s`);

/** @throws `late()` when the signal aborts first */
export async function beforeEnd<T>(signal: AbortSignal, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () => reject(late());
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', end);
    ended.catch(() => {});
  }
}
