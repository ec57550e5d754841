import type { Rejection } from '@forgelog/contracts/errors.ts';
import type { AnswerOf, AskedService, Operation, RequestOf } from '@forgelog/contracts/operation.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { z } from 'zod';
import type { Principal } from './principal.ts';
import { unavailable } from './unavailable.ts';

/** For whom an operation is asked; a write also says under which id, and what its events say of their cause. */
export type Asking<O extends Operation> = { principal: Principal | null } & (O['effect'] extends 'write'
  ? WriteAsking
  : unknown);

interface WriteAsking {
  /** A UUID that the caller keeps: asked again under it, the operation is not done again. */
  operationId: string;
  metadata: EventMetadata;
}

/** Port: what services ask of each other. A service never imports another. */
export interface Operations {
  /**
   * @throws Rejection the answering service's own, or `unavailable`: with Retry-After where nothing has happened,
   * without it where a write may have been done
   */
  call<O extends Operation>(operation: O, request: RequestOf<O>, asking: Asking<O>): Promise<AnswerOf<O>>;
}

/** What an operation's implementation is told beside the request. */
export type Asked<O extends Operation> = Asking<O> & {
  request: RequestOf<O>;
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal;
};

/** An operation with the code that answers it. It decides rights itself, by the principal. */
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

/** Who is asked, before it is known whether their answer comes from this process or from another. */
export type OperationsOf = (service: AskedService) => readonly OperationImplementation[] | undefined;

/** Answers with the services of this process, through the same schemas as over the network. */
export function localOperations(implementationsOf: OperationsOf): Operations {
  return {
    async call(operation, request, asking) {
      const found = implementationsOf(operation.service)?.find((each) => each.operation.id === operation.id);
      if (!found) throw new Error(`operation ${operation.id}: nobody here answers for ${operation.service}`);
      const signal = AbortSignal.timeout(operation.deadlineMs);
      return beforeEnd(signal, answerOperation(found, request, { ...asking, signal }), () =>
        lateAnswer(operation),
      );
    },
  };
}

/** Parses what is asked and what is answered: the door of the service that answers. @throws what the handler throws */
export async function answerOperation<O extends Operation>(
  { operation, answer }: OperationImplementation,
  request: unknown,
  asking: Asking<O> & { signal: AbortSignal },
): Promise<AnswerOf<O>> {
  const parsed = parseContract(operation, 'request', request);
  const answered = await answer({ ...asking, request: parsed } as Asked<Operation>);
  return parseContract<Operation, 'answer'>(operation, 'answer', answered) as AnswerOf<O>;
}

/** @throws Error where it breaks the contract, which is a defect of one of the two services */
export function parseContract<O extends Operation, Part extends 'request' | 'answer'>(
  operation: O,
  part: Part,
  value: unknown,
): z.output<O[Part]> {
  const parsed = operation[part].safeParse(value);
  if (parsed.success) return parsed.data as z.output<O[Part]>;
  throw new Error(`operation ${operation.id}: the ${part} breaks its contract`, { cause: parsed.error });
}

/** Why there is no answer. Whoever asked for a write cannot know whether it was done, unless they ask under the same id. */
export function noAnswer({ service, effect }: Operation, what: string): Rejection {
  if (effect === 'read') return unavailable(`the ${service} service ${what}`, 2);
  return unavailable(`the ${service} service ${what}; whether the change was made is not known`, null);
}

export const lateAnswer = (operation: Operation): Rejection =>
  noAnswer(operation, `did not answer within ${operation.deadlineMs / 1000} s`);

/** @throws what `late` gives when the signal fires first */
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
